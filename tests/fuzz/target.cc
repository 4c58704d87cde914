#include "tests/fuzz/target.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace stepwise::fuzz {
namespace {

constexpr std::array kTargets{
    Target{"kernel_details", run_reader},
    Target{"op_summary", run_reader},
    Target{"step_trace_time", run_reader},
    Target{"step_trace", run_reader},
    Target{"op_statistic", run_reader},
    Target{"api_statistic", run_reader},
    Target{"operator_details", run_reader},
    Target{"memory_record", run_reader},
    Target{"npu_mem", run_reader},
    Target{"operator_memory", run_reader},
    Target{"npu_module_mem", run_reader},
    Target{"static_op_mem", run_reader},
    Target{"l2_cache", run_reader},
    Target{"data_preprocess", run_reader},
    Target{"fusion_op", run_reader},
    Target{"communication", run_reader},
    Target{"communication_matrix", run_reader},
    Target{"metadata", run_reader},
    Target{"ms_operator_types", run_reader},
    Target{"ms_operator_names", run_reader},
    Target{"ms_aicpu", run_reader},
    Target{"ms_timeline", run_reader},
    Target{"ms_display", run_reader},
    Target{"ms_steps", run_reader},
    Target{"ms_framework", run_reader},
    Target{"ms_hccl", run_reader},
    Target{"cluster_step_trace", run_reader},
    Target{"cluster_communication", run_reader},
    Target{"cluster_matrix", run_reader},
    Target{"cluster_groups", run_reader},
    Target{"cluster_db", run_reader},
    Target{"trace_view", run_reader},
    Target{"kineto_trace", run_reader},
    Target{"ge_proto", run_reader},
    Target{"ge_onnx", run_reader},
    Target{"ge_readable", run_reader},
    Target{"fx_graph", run_reader},
    Target{"inductor_code", run_reader},
    Target{"execution_trace", run_reader},
    Target{"profiler_db", run_reader},
    Target{"profiler_db_timeline", run_reader},
    Target{"analysis_db", run_reader},
    Target{"task_time", run_reader},
    Target{"core_utilization", run_reader},
    Target{"ms_cluster_steps", run_reader},
    Target{"call_numbers", run_reader},
    Target{"splitter", run_splitter},
    Target{"message", run_message},
    Target{"manifest", run_manifest},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  const auto found =
      std::find_if(kTargets.begin(), kTargets.end(), [&](const Target& one) { return one.name == name; });
  return found == kTargets.end() ? nullptr : &*found;
}

void demand(bool holds, std::string_view target, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(target.size()), target.data(), what);
  std::abort();
}

}  // namespace stepwise::fuzz
