// Which table comes from which file, and so in which segment it is.
#include <algorithm>
#include <array>
#include <iterator>

#include "core/ingest/discovery/format_detect.h"
#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {
namespace {

constexpr unsigned bit(ProfileKind kind) { return 1u << static_cast<unsigned>(kind); }
// MindSpore since 2.4 leaves the same files as torch_npu; before, files of its own (ms_*).
constexpr unsigned kTorchNpu = bit(ProfileKind::torch_npu) | bit(ProfileKind::mindspore),
                   kMsprof = bit(ProfileKind::msprof), kKineto = bit(ProfileKind::kineto),
                   kMindSpore = bit(ProfileKind::mindspore), kAny = ~0u;

/// Where profiles of some kinds keep a table: any of the files fills it.
struct Origin {
  const char* table;
  unsigned profiles;
  table::Group group;
  std::array<FileKind, 6> files;  // not_understood: no more
};

template <class... Kinds>
constexpr Origin from(const char* table, unsigned profiles, table::Group group, Kinds... kinds) {
  Origin origin{table, profiles, group, {}};
  origin.files.fill(FileKind::not_understood);
  size_t next = 0;
  ((origin.files[next++] = kinds), ...);
  return origin;
}

using table::Group;
constexpr Origin kOrigins[] = {
    from("kernel", kTorchNpu, Group::files, FileKind::kernel_details, FileKind::profiler_db, FileKind::ms_timeline,
         FileKind::task_time, FileKind::ms_display),
    from("kernel", kMsprof, Group::files, FileKind::op_summary, FileKind::profiler_db, FileKind::task_time),
    from("kernel", kKineto, Group::trace, FileKind::kineto_trace),
    from("kernel_link", kTorchNpu | kMsprof, Group::trace, FileKind::trace_view, FileKind::msprof_trace,
         FileKind::profiler_db),
    from("kernel_link", kKineto, Group::trace, FileKind::kineto_trace),
    from("step", kTorchNpu, Group::files, FileKind::step_trace_time, FileKind::analysis_db, FileKind::profiler_db,
         FileKind::ms_steps),
    from("step", kMsprof, Group::files, FileKind::step_trace),
    from("step", kKineto, Group::trace, FileKind::kineto_trace),
    from("op_stat", kTorchNpu | kMsprof, Group::files, FileKind::op_statistic, FileKind::profiler_db,
         FileKind::ms_operator_types),
    from("op_name_stat", kMindSpore, Group::files, FileKind::ms_operator_names),
    from("api_stat", kTorchNpu | kMsprof, Group::files, FileKind::api_statistic, FileKind::profiler_db),
    from("op_detail", kTorchNpu, Group::files, FileKind::operator_details),
    from("comm_op", kTorchNpu, Group::files, FileKind::communication, FileKind::analysis_db),
    from("comm_link", kTorchNpu, Group::files, FileKind::communication, FileKind::analysis_db),
    from("comm_packet", kTorchNpu, Group::files, FileKind::communication, FileKind::analysis_db),
    from("comm_matrix", kTorchNpu, Group::files, FileKind::communication_matrix, FileKind::analysis_db,
         FileKind::ms_hccl),
    from("cluster_step", kAny, Group::cluster, FileKind::cluster_step_trace, FileKind::cluster_db),
    from("cluster_comm_op", kAny, Group::cluster, FileKind::cluster_communication, FileKind::cluster_db),
    from("cluster_comm_link", kAny, Group::cluster, FileKind::cluster_communication, FileKind::cluster_db),
    from("cluster_comm_matrix", kAny, Group::cluster, FileKind::cluster_matrix, FileKind::cluster_db),
    from("comm_group", kAny, Group::cluster, FileKind::cluster_groups, FileKind::cluster_db),
    from("memory", kTorchNpu, Group::files, FileKind::memory_record, FileKind::profiler_db),
    from("memory", kMsprof, Group::files, FileKind::memory_record, FileKind::npu_mem, FileKind::profiler_db),
    from("memory", kKineto, Group::trace, FileKind::kineto_trace),
    from("memory_block", kTorchNpu | kMsprof, Group::files, FileKind::operator_memory, FileKind::profiler_db),
    from("module_memory", kTorchNpu | kMsprof, Group::files, FileKind::npu_module_mem, FileKind::profiler_db),
    from("static_memory", kTorchNpu | kMsprof, Group::files, FileKind::static_op_mem),
    from("l2_cache", kTorchNpu | kMsprof, Group::files, FileKind::l2_cache),
    from("aicpu_task", kTorchNpu | kMsprof, Group::files, FileKind::data_preprocess, FileKind::ms_aicpu,
         FileKind::ms_display),
    from("fusion_op", kMsprof, Group::files, FileKind::fusion_op),
    from("meta", kTorchNpu, Group::files, FileKind::profiler_info, FileKind::profiler_metadata, FileKind::profiler_db),
    from("meta", kMsprof, Group::files, FileKind::msprof_info, FileKind::profiler_db, FileKind::core_utilization,
         FileKind::vector_core_utilization),
    from("meta", kKineto, Group::trace, FileKind::kineto_trace),
    from("device_task", kTorchNpu | kMsprof, Group::trace, FileKind::trace_view, FileKind::msprof_trace,
         FileKind::profiler_db),
    from("device_task", kKineto, Group::trace, FileKind::kineto_trace),
    from("overlap_span", kTorchNpu | kMsprof, Group::trace, FileKind::trace_view, FileKind::msprof_trace,
         FileKind::profiler_db),
    from("queue", kTorchNpu, Group::trace, FileKind::trace_view, FileKind::profiler_db),
    from("counter", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("host_op", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("runtime_api", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("python_call", kTorchNpu | kKineto, Group::trace, FileKind::trace_view, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("python_link", kTorchNpu | kKineto, Group::trace, FileKind::trace_view, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("flow", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("step_range", kTorchNpu | kKineto, Group::trace, FileKind::trace_view, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("track", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("graph_node", kAny, Group::graph, FileKind::ge_onnx, FileKind::ge_proto, FileKind::ge_readable,
         FileKind::inductor_code, FileKind::fx_graph, FileKind::execution_trace),
    from("graph_edge", kAny, Group::graph, FileKind::ge_onnx, FileKind::ge_proto, FileKind::ge_readable,
         FileKind::inductor_code, FileKind::fx_graph, FileKind::execution_trace),
};

/// The origin of that kind of profile; else any other, which says at least what the table would have been read from.
const Origin* origin_of(ProfileKind kind, std::string_view table) {
  const Origin* other = nullptr;
  for (const Origin& one : kOrigins) {
    if (one.table != table) continue;
    if ((one.profiles & bit(kind)) != 0) return &one;
    if (other == nullptr) other = &one;
  }
  return other;  // nullptr: diagnostic, which every segment has
}

struct KindName {
  FileKind kind;
  const char *name, *file;
};
constexpr KindName kKindNames[] = {
    {FileKind::kernel_details, "kernel_details", "kernel_details.csv"},
    {FileKind::step_trace_time, "step_trace_time", "step_trace_time.csv"},
    {FileKind::op_statistic, "op_statistic", "op_statistic.csv"},
    {FileKind::api_statistic, "api_statistic", "api_statistic.csv"},
    {FileKind::operator_details, "operator_details", "operator_details.csv"},
    {FileKind::communication, "communication", "communication.json"},
    {FileKind::profiler_info, "profiler_info", "profiler_info.json"},
    {FileKind::profiler_metadata, "profiler_metadata", "profiler_metadata.json"},
    {FileKind::trace_view, "trace_view", "trace_view.json"},
    {FileKind::communication_matrix, "communication_matrix", "communication_matrix.json"},
    {FileKind::op_summary, "op_summary", "op_summary_*.csv"},
    {FileKind::step_trace, "step_trace", "step_trace_*.csv"},
    {FileKind::msprof_trace, "msprof_trace", "msprof_*.json"},
    {FileKind::msprof_info, "msprof_info", "info.json"},
    {FileKind::profiler_db, "profiler_db", "ascend_pytorch_profiler*.db"},
    {FileKind::analysis_db, "analysis_db", "analysis.db"},
    {FileKind::ms_operator_types, "ms_operator_types", "aicore_intermediate_*_type.csv"},
    {FileKind::ms_operator_names, "ms_operator_names", "aicore_intermediate_*_detail.csv"},
    {FileKind::ms_aicpu, "ms_aicpu", "aicpu_intermediate_*.csv"},
    {FileKind::ms_timeline, "ms_timeline", "output_timeline_data_*.txt"},
    {FileKind::ms_display, "ms_display", "ascend_timeline_display_*.json"},
    {FileKind::ms_steps, "ms_steps", "step_trace_raw_*_detail_time.csv"},
    {FileKind::ms_framework, "ms_framework", "framework_raw_*.csv"},
    {FileKind::ms_hccl, "ms_hccl", "hccl_raw_*.csv"},
    {FileKind::cluster_step_trace, "cluster_step_trace", "cluster_step_trace_time.csv"},
    {FileKind::cluster_communication, "cluster_communication", "cluster_communication.json"},
    {FileKind::cluster_matrix, "cluster_matrix", "cluster_communication_matrix.json"},
    {FileKind::cluster_groups, "cluster_groups", "communication_group.json"},
    {FileKind::cluster_db, "cluster_db", "cluster_analysis.db"},
    {FileKind::kineto_trace, "kineto_trace", "*.pt.trace.json"},
    {FileKind::ge_proto, "ge_proto", "ge_proto_*.txt"},
    {FileKind::ge_onnx, "ge_onnx", "ge_onnx_*.pbtxt"},
    {FileKind::ge_readable, "ge_readable", "ge_readable_*.txt"},
    {FileKind::fx_graph, "fx_graph", "fx_graph_*.py"},
    {FileKind::inductor_code, "inductor_code", "output_code.py"},
    {FileKind::execution_trace, "execution_trace", "*_et.json"},
    {FileKind::memory_record, "memory_record", "memory_record.csv"},
    {FileKind::operator_memory, "operator_memory", "operator_memory.csv"},
    {FileKind::npu_module_mem, "npu_module_mem", "npu_module_mem.csv"},
    {FileKind::npu_mem, "npu_mem", "npu_mem_*.csv"},
    {FileKind::static_op_mem, "static_op_mem", "static_op_mem.csv"},
    {FileKind::l2_cache, "l2_cache", "l2_cache.csv"},
    {FileKind::data_preprocess, "data_preprocess", "data_preprocess.csv"},
    {FileKind::fusion_op, "fusion_op", "fusion_op_*.csv"},
    {FileKind::task_time, "task_time", "task_time_*.csv"},
    {FileKind::core_utilization, "core_utilization", "ai_core_utilization_*.csv"},
    {FileKind::vector_core_utilization, "vector_core_utilization", "ai_vector_core_utilization_*.csv"},
    {FileKind::ms_cluster_steps, "ms_cluster_steps", "ascend_cluster_analyse_*.csv"},
    {FileKind::not_understood, "not_understood", ""},
};

const KindName& name_of(FileKind kind) {
  const KindName* found = std::begin(kKindNames);
  while (found->kind != kind && found->kind != FileKind::not_understood) ++found;
  return *found;
}

/// Of MindSpore before 2.4.
bool is_legacy(const ProfileLayout& layout) {
  return std::any_of(layout.ranks.begin(), layout.ranks.end(), [](const RankLayout& rank) {
    return std::any_of(rank.files.begin(), rank.files.end(), [](const SourceFile& file) {
      return family_of(file.kind, std::filesystem::path(file.path).filename().native()) == Family::mindspore;
    });
  });
}

}  // namespace

const char* to_string(ProfileKind kind) {
  switch (kind) {
    case ProfileKind::torch_npu:
      return "torch_npu";
    case ProfileKind::msprof:
      return "msprof";
    case ProfileKind::mindspore:
      return "mindspore";
    case ProfileKind::kineto:
      return "kineto";
    case ProfileKind::graph_only:
      break;
  }
  return "graph_only";
}

const char* to_string(FileKind kind) { return name_of(kind).name; }

const SourceFile* RankLayout::find(FileKind kind) const {
  for (const SourceFile& file : files) {
    if (file.kind == kind && file.state == FileState::usable) return &file;
  }
  return nullptr;
}

table::Group group_of(ProfileKind kind, std::string_view table) {
  const Origin* origin = origin_of(kind, table);
  return origin == nullptr ? table::Group::files : origin->group;
}

bool could_have(const ProfileLayout& layout, const RankLayout& rank, std::string_view table) {
  const Origin* origin = origin_of(layout.kind, table);
  if (origin == nullptr) return table == "diagnostic";
  return std::any_of(origin->files.begin(), origin->files.end(),
                     [&](FileKind kind) { return kind != FileKind::not_understood && rank.find(kind) != nullptr; });
}

bool adds_tables(ProfileKind kind, const RankLayout& rank, FileKind database) {
  // Recorded only if the user asked for it: where no text file has it, neither has the database of the same run.
  constexpr std::string_view kOnRequest[] = {"memory", "memory_block", "module_memory"};
  return std::any_of(std::begin(kOrigins), std::end(kOrigins), [&](const Origin& one) {
    const auto& files = one.files;
    if (std::find(std::begin(kOnRequest), std::end(kOnRequest), one.table) != std::end(kOnRequest)) return false;
    if ((one.profiles & bit(kind)) == 0 || std::find(files.begin(), files.end(), database) == files.end()) return false;
    return std::none_of(files.begin(), files.end(), [&](FileKind file) {
      return file != database && file != FileKind::not_understood && rank.find(file) != nullptr;
    });
  });
}

bool is_input(ProfileKind profile, std::string_view table, FileKind file) {
  const Origin* origin = origin_of(profile, table);
  return origin != nullptr && file != FileKind::not_understood &&
         std::find(origin->files.begin(), origin->files.end(), file) != origin->files.end();
}

std::string input_for(const ProfileLayout& layout, std::string_view table) {
  const Origin* origin = origin_of(layout.kind, table);
  if (origin == nullptr) return "";
  if (layout.kind == ProfileKind::kineto && origin->group == Group::trace) return "*.pt.trace.json";
  if (layout.kind == ProfileKind::msprof) {
    if (origin->files[1] == FileKind::msprof_trace) return "msprof_*.json";
    const std::string exported = numbered_name(origin->files[0], Family::msprof);
    if (!exported.empty()) return exported;
  }
  if (layout.kind == ProfileKind::mindspore && is_legacy(layout)) {
    for (const FileKind kind : origin->files) {
      const std::string old = numbered_name(kind, Family::mindspore);
      if (!old.empty()) return old;
    }
  }
  return name_of(origin->files[0]).file;
}

}  // namespace stepwise::ingest
