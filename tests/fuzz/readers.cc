// Readers: a file of any bytes gives a segment that opens, and the same one however the file is cut into chunks and
// windows and however many threads read it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "core/ingest/base/readers.h"
#include "core/ingest/timeline/kineto_trace.h"
#include "core/ingest/timeline/trace_view.h"
#include "core/store/segment.h"
#include "tests/fuzz/target.h"

namespace stepwise::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace ingest;

/// One folder a process; gone when it ends in good order.
const fs::path& folder() {
  struct Folder {
    Folder() {
      std::string name = (fs::temp_directory_path() / "stepwise-fuzz-XXXXXX").string();
      demand(mkdtemp(name.data()) != nullptr, "fuzz", "no temporary folder can be made");
      path = name;
    }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
    fs::path path;
  };
  static const Folder folder;
  return folder.path;
}

/// The two files that an input holds, with a line of --- between them.
struct TwoFiles {
  InputFile first, second;
};
TwoFiles split(const fs::path& input, const char* first, const char* second) {
  std::ifstream file(input, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view kBetween = "\n---\n";
  const size_t at = std::min(bytes.find(kBetween), bytes.size());
  const size_t behind = std::min(at + kBetween.size(), bytes.size());
  const TwoFiles files{{folder() / first, first}, {folder() / second, second}};
  std::ofstream(files.first.path, std::ios::binary) << std::string_view(bytes).substr(0, at);
  std::ofstream(files.second.path, std::ios::binary) << std::string_view(bytes).substr(behind);
  return files;
}

/// A timeline, and the execution trace that numbers its calls.
Result<void> read_call_numbers(const fs::path& file, const std::string&, IngestContext& context,
                               store::SegmentBuilder& out) {
  const TwoFiles files = split(file, "timeline.json", "calls.json");
  context.execution_traces = std::span(&files.second, 1);
  return read_kineto_trace(files.first.path, files.first.relative_path, context, out);
}

/// Iterations, and what completes them.
Result<void> read_completed_steps(const fs::path& file, const std::string&, IngestContext& context,
                                  store::SegmentBuilder& out) {
  const TwoFiles files = split(file, "steps.csv", "cluster.csv");
  SW_RETURN_IF_ERROR(read_ms_steps(files.first.path, files.first.relative_path, context, out));
  return read_ms_cluster_steps(files.second.path, files.second.relative_path, context, out);
}

struct ReaderTarget {
  std::string_view name;
  Reader* read;
  const char* file;  // as a profiler would call it
};
constexpr std::array kReaderTargets{
    ReaderTarget{"kernel_details", read_kernel_details, "kernel_details.csv"},
    ReaderTarget{"op_summary", read_op_summary, "op_summary_20250101000000.csv"},
    ReaderTarget{"step_trace_time", read_step_trace_time, "step_trace_time.csv"},
    ReaderTarget{"step_trace", read_step_trace, "step_trace_20250101000000.csv"},
    ReaderTarget{"op_statistic", read_op_statistic, "op_statistic.csv"},
    ReaderTarget{"api_statistic", read_api_statistic, "api_statistic.csv"},
    ReaderTarget{"operator_details", read_operator_details, "operator_details.csv"},
    ReaderTarget{"memory_record", read_memory_record, "memory_record.csv"},
    ReaderTarget{"npu_mem", read_npu_mem, "npu_mem_20250101000000.csv"},
    ReaderTarget{"operator_memory", read_operator_memory, "operator_memory.csv"},
    ReaderTarget{"npu_module_mem", read_npu_module_mem, "npu_module_mem.csv"},
    ReaderTarget{"static_op_mem", read_static_op_mem, "static_op_mem.csv"},
    ReaderTarget{"l2_cache", read_l2_cache, "l2_cache.csv"},
    ReaderTarget{"data_preprocess", read_data_preprocess, "data_preprocess.csv"},
    ReaderTarget{"fusion_op", read_fusion_op, "fusion_op_20250101000000.csv"},
    ReaderTarget{"communication", read_communication, "communication.json"},
    ReaderTarget{"communication_matrix", read_communication_matrix, "communication_matrix.json"},
    ReaderTarget{"metadata", read_metadata, "profiler_info_0.json"},
    ReaderTarget{"ms_operator_types", read_ms_operator_types, "aicore_intermediate_0_type.csv"},
    ReaderTarget{"ms_operator_names", read_ms_operator_names, "aicore_intermediate_0_detail.csv"},
    ReaderTarget{"ms_aicpu", read_ms_aicpu, "aicpu_intermediate_0.csv"},
    ReaderTarget{"ms_timeline", read_ms_timeline, "output_timeline_data_0.txt"},
    ReaderTarget{"ms_display", read_ms_display, "ascend_timeline_display_0.json"},
    ReaderTarget{"ms_steps", read_ms_steps, "step_trace_raw_0_detail_time.csv"},
    ReaderTarget{"ms_framework", read_ms_framework, "framework_raw_0.csv"},
    ReaderTarget{"ms_hccl", read_ms_hccl, "hccl_raw_0.csv"},
    ReaderTarget{"cluster_step_trace", read_cluster_step_trace, "cluster_step_trace_time.csv"},
    ReaderTarget{"cluster_communication", read_cluster_communication, "cluster_communication.json"},
    ReaderTarget{"cluster_matrix", read_cluster_matrix, "cluster_communication_matrix.json"},
    ReaderTarget{"cluster_groups", read_cluster_groups, "communication_group.json"},
    ReaderTarget{"cluster_db", read_cluster_db, "cluster_analysis.db"},
    ReaderTarget{"trace_view", read_trace_view, "trace_view.json"},
    ReaderTarget{"kineto_trace", read_kineto_trace, "rank0.pt.trace.json"},
    ReaderTarget{"ge_proto", read_ge_proto, "ge_proto_00000001_graph_1_Build.txt"},
    ReaderTarget{"ge_onnx", read_ge_onnx, "ge_onnx_00000001_graph_1_Build.pbtxt"},
    ReaderTarget{"ge_readable", read_ge_readable, "ge_readable_00000001_graph_1_Build.txt"},
    ReaderTarget{"fx_graph", read_fx_graph, "fx_graph_readable.py"},
    ReaderTarget{"inductor_code", read_inductor_code, "output_code.py"},
    ReaderTarget{"execution_trace", read_execution_trace, "rank0_et.json"},
    ReaderTarget{"profiler_db", read_profiler_db, "ascend_pytorch_profiler_0.db"},
    ReaderTarget{"profiler_db_timeline", read_profiler_db_timeline, "ascend_pytorch_profiler_0.db"},
    ReaderTarget{"analysis_db", read_analysis_db, "analysis.db"},
    ReaderTarget{"task_time", read_task_time, "task_time_20250101000000.csv"},
    ReaderTarget{"core_utilization", read_core_utilization, "ai_core_utilization_20250101000000.csv"},
    ReaderTarget{"ms_cluster_steps", read_completed_steps, "steps_and_cluster"},
    ReaderTarget{"call_numbers", read_call_numbers, "timeline_and_calls"},
};

const ReaderTarget& reader_of(std::string_view target) {
  for (const ReaderTarget& one : kReaderTargets) {
    if (one.name == target) return one;
  }
  demand(false, target, "has no reader");
  std::abort();
}

/// The hash of the segment that the file gives, read that way.
uint64_t read(const ReaderTarget& target, const fs::path& file, const IngestOptions& options) {
  constexpr store::SegmentKey kKey{1, 2};
  CancelFlag cancel;
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{cancel, progress, diagnostics, options};
  store::SegmentBuilder builder;
  demand(target.read(file, target.file, context, builder).ok(), target.name, "a damaged file is an error, not a loss");
  diagnostics.write_to(builder);
  const fs::path segment_file = folder() / "segment";
  demand(builder.write(segment_file, kKey).ok(), target.name, "the segment cannot be written");
  const auto segment = store::Segment::open(segment_file, kKey);
  demand(segment.ok(), target.name, "the segment does not open");
  for (const std::string& table : segment.value()->table_names()) {
    demand(segment.value()->table(table).ok(), target.name, "a table of the segment is damaged");
  }
  return segment.value()->hash();
}

}  // namespace

void run_reader(std::string_view name, std::string_view bytes) {
  const ReaderTarget& target = reader_of(name);
  const fs::path file = folder() / target.file;
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const uint64_t whole = read(target, file, {.threads = 1});
  constexpr size_t kSmallestWindow = 64, kOddChunk = 7;
  demand(read(target, file, {.threads = 2, .window_bytes = kSmallestWindow, .csv_chunk_bytes = kOddChunk}) == whole,
         name, "what is read depends on how the file is cut");
}

}  // namespace stepwise::fuzz
