#include "core/ingest/discovery/format_detect.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>

#include "core/base/characters.h"
#include "core/base/text.h"
#include "core/ingest/base/byte_source.h"
#include "core/ingest/database/db_file.h"
#include "core/ingest/discovery/unread_names.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kFirstBytes = 4096;
constexpr size_t kBytesSniffed = 1u << 16;  // metadata may stand before what gives a trace away
constexpr std::string_view kGzipMagic = "\x1F\x8B", kSqliteMagic = "SQLite format 3";

/// How a file of a kind begins.
enum class Opens : uint8_t { csv, object, json, text, database };

/// A name in which '*' stands for anything and '#' for a digit.
struct NameOfKind {
  FileKind kind;
  Family family;
  std::string_view pattern;
  Opens opens;
};
// The first that fits decides.
constexpr NameOfKind kNames[] = {
    {FileKind::kernel_details, Family::torch_npu, "kernel_details.csv", Opens::csv},
    {FileKind::step_trace_time, Family::torch_npu, "step_trace_time.csv", Opens::csv},
    {FileKind::op_statistic, Family::torch_npu, "op_statistic.csv", Opens::csv},
    {FileKind::api_statistic, Family::torch_npu, "api_statistic.csv", Opens::csv},
    {FileKind::operator_details, Family::torch_npu, "operator_details.csv", Opens::csv},
    {FileKind::memory_record, Family::torch_npu, "memory_record.csv", Opens::csv},
    {FileKind::operator_memory, Family::torch_npu, "operator_memory.csv", Opens::csv},
    {FileKind::npu_module_mem, Family::torch_npu, "npu_module_mem.csv", Opens::csv},
    {FileKind::static_op_mem, Family::torch_npu, "static_op_mem.csv", Opens::csv},
    {FileKind::l2_cache, Family::torch_npu, "l2_cache.csv", Opens::csv},
    {FileKind::data_preprocess, Family::torch_npu, "data_preprocess.csv", Opens::csv},
    {FileKind::task_time, Family::torch_npu, "task_time.csv", Opens::csv},
    {FileKind::communication, Family::torch_npu, "communication.json", Opens::object},
    {FileKind::communication_matrix, Family::torch_npu, "communication_matrix.json", Opens::object},
    {FileKind::profiler_metadata, Family::torch_npu, "profiler_metadata.json", Opens::object},
    {FileKind::profiler_info, Family::torch_npu, "profiler_info.json", Opens::object},
    {FileKind::profiler_info, Family::torch_npu, "profiler_info_#*.json", Opens::object},
    {FileKind::trace_view, Family::torch_npu, "trace_view.json", Opens::json},
    {FileKind::profiler_db, Family::torch_npu, "ascend_pytorch_profiler.db", Opens::database},
    {FileKind::profiler_db, Family::torch_npu, "ascend_pytorch_profiler_#*.db", Opens::database},
    {FileKind::profiler_db, Family::torch_npu, "ascend_mindspore_profiler.db", Opens::database},
    {FileKind::profiler_db, Family::torch_npu, "ascend_mindspore_profiler_#*.db", Opens::database},
    {FileKind::analysis_db, Family::torch_npu, "analysis.db", Opens::database},
    {FileKind::analysis_db, Family::torch_npu, "communication_analyzer.db", Opens::database},
    {FileKind::profiler_db, Family::msprof, "msprof_#*.db", Opens::database},
    {FileKind::op_summary, Family::msprof, "*op_summary*.csv", Opens::csv},  // people rename it
    {FileKind::op_statistic, Family::msprof, "op_statistic_#*.csv", Opens::csv},
    {FileKind::api_statistic, Family::msprof, "api_statistic_#*.csv", Opens::csv},
    {FileKind::step_trace, Family::msprof, "step_trace_#*.csv", Opens::csv},
    {FileKind::memory_record, Family::msprof, "memory_record_#*.csv", Opens::csv},
    {FileKind::memory_record, Family::msprof, "memory_record_slice_#*.csv", Opens::csv},
    {FileKind::operator_memory, Family::msprof, "operator_memory_#*.csv", Opens::csv},
    {FileKind::operator_memory, Family::msprof, "operator_memory_slice_#*.csv", Opens::csv},
    {FileKind::npu_module_mem, Family::msprof, "npu_module_mem_#*.csv", Opens::csv},
    {FileKind::npu_module_mem, Family::msprof, "npu_module_mem_slice_#*.csv", Opens::csv},
    {FileKind::npu_mem, Family::msprof, "npu_mem_#*.csv", Opens::csv},
    {FileKind::npu_mem, Family::msprof, "npu_mem_slice_#*.csv", Opens::csv},
    {FileKind::static_op_mem, Family::msprof, "static_op_mem_#*.csv", Opens::csv},
    {FileKind::static_op_mem, Family::msprof, "static_op_mem_slice_#*.csv", Opens::csv},
    {FileKind::l2_cache, Family::msprof, "l2_cache_#*.csv", Opens::csv},
    {FileKind::l2_cache, Family::msprof, "l2_cache_slice_#*.csv", Opens::csv},
    {FileKind::data_preprocess, Family::msprof, "aicpu_#*.csv", Opens::csv},
    {FileKind::data_preprocess, Family::msprof, "aicpu_slice_#*.csv", Opens::csv},
    {FileKind::fusion_op, Family::msprof, "fusion_op_#*.csv", Opens::csv},
    {FileKind::fusion_op, Family::msprof, "fusion_op_slice_#*.csv", Opens::csv},
    {FileKind::task_time, Family::msprof, "task_time_#*.csv", Opens::csv},
    {FileKind::task_time, Family::msprof, "task_time_slice_#*.csv", Opens::csv},
    {FileKind::core_utilization, Family::msprof, "ai_core_utilization_#*.csv", Opens::csv},
    {FileKind::vector_core_utilization, Family::msprof, "ai_vector_core_utilization_#*.csv", Opens::csv},
    {FileKind::msprof_trace, Family::msprof, "msprof_#*.json", Opens::json},
    {FileKind::msprof_trace, Family::msprof, "msprof_slice_#*.json", Opens::json},
    {FileKind::msprof_info, Family::msprof, "info.json*", Opens::object},
    {FileKind::msprof_info, Family::msprof, "sample.json", Opens::object},
    {FileKind::ms_operator_types, Family::mindspore, "aicore_intermediate_#*_type.csv", Opens::csv},
    {FileKind::ms_operator_names, Family::mindspore, "aicore_intermediate_#*_detail.csv", Opens::csv},
    {FileKind::ms_aicpu, Family::mindspore, "aicpu_intermediate_#*.csv", Opens::csv},
    {FileKind::ms_timeline, Family::mindspore, "output_timeline_data_#*.txt", Opens::csv},
    {FileKind::ms_display, Family::mindspore, "ascend_timeline_display_#*.json", Opens::json},
    {FileKind::ms_display, Family::mindspore, "timeline_display_#*.json", Opens::json},
    {FileKind::ms_steps, Family::mindspore, "step_trace_raw_#*_detail_time.csv", Opens::csv},
    {FileKind::ms_framework, Family::mindspore, "framework_raw_#*.csv", Opens::csv},
    {FileKind::ms_cluster_steps, Family::mindspore, "ascend_cluster_analyse_model-parallel_#*.csv", Opens::csv},
    {FileKind::ms_cluster_steps, Family::mindspore, "ascend_cluster_analyse_pipeline-parallel_#*.csv", Opens::csv},
    {FileKind::ms_hccl, Family::mindspore, "hccl_raw_#*.csv", Opens::csv},
    {FileKind::cluster_step_trace, Family::cluster, "cluster_step_trace_time.csv", Opens::csv},
    {FileKind::cluster_communication, Family::cluster, "cluster_communication.json", Opens::object},
    {FileKind::cluster_matrix, Family::cluster, "cluster_communication_matrix.json", Opens::object},
    {FileKind::cluster_groups, Family::cluster, "communication_group.json", Opens::object},
    {FileKind::cluster_db, Family::cluster, "cluster_analysis.db", Opens::database},
    {FileKind::kineto_trace, Family::kineto, "*.pt.trace.json", Opens::json},
    {FileKind::ge_proto, Family::graph, "ge_proto_#*.txt", Opens::text},
    {FileKind::ge_onnx, Family::graph, "ge_onnx_#*.pbtxt", Opens::text},
    {FileKind::ge_readable, Family::graph, "ge_readable_#*.txt", Opens::text},
    {FileKind::inductor_code, Family::graph, "*output_code.py", Opens::text},
    {FileKind::fx_graph, Family::graph, "*fx_graph_runnable.py", Opens::text},
    {FileKind::fx_graph, Family::graph, "*fx_graph_readable.py", Opens::text},
    {FileKind::fx_graph, Family::graph, "*fx_graph_transformed.py", Opens::text},
    {FileKind::fx_graph, Family::graph, "*_post_grad_graph.py", Opens::text},
    {FileKind::fx_graph, Family::graph, "*dynamo_output_graph.py", Opens::text},
};

bool fits(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, after_star = pattern.npos, tried = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      tried = n;
    } else if (p < pattern.size() && (pattern[p] == '#' ? is_digit(name[n]) : pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (after_star != pattern.npos) {
      p = after_star;
      n = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

std::string_view without_gz(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name;
}

const NameOfKind* find_name(std::string_view file_name) {
  const std::string_view name = without_gz(file_name);
  for (const NameOfKind& one : kNames) {
    if (fits(one.pattern, name)) return &one;
  }
  return nullptr;
}

Opens opens_with(FileKind kind) {
  for (const NameOfKind& one : kNames) {
    if (one.kind == kind) return one.opens;
  }
  return Opens::text;
}

bool is_gzip(const std::filesystem::path& file) {
  std::string magic(kGzipMagic.size(), '\0');
  std::ifstream(file, std::ios::binary).read(magic.data(), static_cast<std::streamsize>(magic.size()));
  return magic == kGzipMagic;
}

/// Text has hardly any control characters; one byte in ten of compressed or random data is one.
bool is_binary(std::string_view bytes) {
  if (bytes.starts_with(kGzipMagic) || bytes.starts_with("PK\x03\x04") || bytes.starts_with(kSqliteMagic)) {
    return true;
  }
  const auto controls = std::count_if(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  return static_cast<size_t>(controls) * 20 > bytes.size();
}

/// First byte that is no blank, after a BOM; '\0' if there is none.
char first_visible(std::string_view bytes) {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  if (bytes.starts_with(kBom)) bytes.remove_prefix(kBom.size());
  bytes = trim(bytes);
  return bytes.empty() ? '\0' : bytes[0];
}

/// "": the first bytes fit the kind.
std::string mismatch(FileKind kind, std::string_view bytes) {
  if (opens_with(kind) == Opens::database) return bytes.starts_with(kSqliteMagic) ? "" : "it is no SQLite database";
  if (is_binary(bytes)) return "its first bytes are binary, not text";
  const Opens wanted = opens_with(kind);
  const char found = first_visible(bytes);
  const bool is_json = found == '{' || found == '[';
  if (wanted == Opens::text) return "";
  if (wanted == Opens::csv) return is_json ? "it holds JSON, not CSV" : "";
  if (wanted == Opens::json ? is_json : found == '{') return "";
  return is_json ? "it holds another kind of JSON" : "it does not begin like JSON";
}

/// One that cannot be opened is told when it is read.
void look_into_database(const std::filesystem::path& file, SourceFile& found) {
  const Result<Database> database = Database::open(file, nullptr);
  if (!database.ok()) return;
  if (database.value().tables().empty()) {
    found.state = FileState::empty;
    found.why_not = "it is a database without tables";
    return;
  }
  static constexpr std::string_view kTables[] = {"STRING_IDS",
                                                 "TASK",
                                                 "CANN_API",
                                                 "PYTORCH_API",
                                                 "META_DATA",
                                                 "StepTraceTime",
                                                 "CommAnalyzerTime",
                                                 "CommAnalyzerMatrix",
                                                 "ClusterStepTraceTime",
                                                 "ClusterCommAnalyzerTime",
                                                 "ClusterCommAnalyzerMatrix",
                                                 "ClusterCommunicationTime",
                                                 "ClusterCommunicationMatrix",
                                                 "CommunicationGroup",
                                                 "CommunicationGroupMapping"};
  if (std::none_of(std::begin(kTables), std::end(kTables), [&](auto table) { return database.value().has(table); })) {
    found.state = FileState::wrong_format;
    found.why_not = "it has none of a profiler's tables";
  }
}

}  // namespace

FileKind kind_of_name(std::string_view file_name) {
  const NameOfKind* found = find_name(file_name);
  return found == nullptr ? FileKind::not_understood : found->kind;
}

std::string misnamed(std::string_view file_name) {
  const std::string_view name = without_gz(file_name);
  std::string_view right, longest;
  for (const NameOfKind& one : kNames) {
    const size_t dot = one.pattern.rfind('.');
    if (one.pattern.find('*') != one.pattern.npos || dot == one.pattern.npos) continue;
    const std::string_view stem = one.pattern.substr(0, dot), end = one.pattern.substr(dot);
    if (!name.ends_with(end) || name.substr(0, name.size() - end.size()).find(stem) == name.npos) continue;
    if (stem.size() <= longest.size()) continue;
    longest = stem;
    right = one.pattern;
  }
  return std::string(right);
}

namespace {

/// Its first bytes, and why there were no more though the file goes on.
struct Start {
  std::string bytes;
  std::optional<Error> broken;
};

Start read_start(const std::filesystem::path& file, size_t most) {
  Start start;
  auto source = open_source(file);
  if (!source.ok()) return {"", source.take_error()};
  start.bytes.resize(most);
  size_t length = 0;
  while (length < most) {
    auto got = source.value()->read({start.bytes.data() + length, most - length});
    if (!got.ok()) start.broken = got.take_error();
    if (start.broken || got.value() == 0) break;
    length += got.value();
  }
  start.bytes.resize(length);
  return start;
}

}  // namespace

bool may_hold_content(std::string_view file_name) {
  const std::string_view name = without_gz(file_name);
  return name.ends_with(".json") || name.ends_with(".py");
}

Result<FileKind> kind_of_content(const std::filesystem::path& file) {
  const std::string file_name = file.filename().string();
  if (!may_hold_content(file_name)) return FileKind::not_understood;
  const Start start = read_start(file, kBytesSniffed);
  const auto has = [&](const char* part) { return start.bytes.find(part) != std::string::npos; };
  if (without_gz(file_name).ends_with(".json")) {
    if (first_visible(start.bytes) == '{' && has("\"schema\"") && has("\"nodes\"") && !has("\"traceEvents\"")) {
      return FileKind::execution_trace;
    }
    const bool is_trace = has("\"traceEvents\"") || has("\"deviceProperties\"") || has("\"distributedInfo\"");
    if (is_trace && first_visible(start.bytes) == '{') return FileKind::kineto_trace;
  } else if (has("# AOT ID:") || has("async_compile.") || has("def call(args)") || has("def call(self, args)")) {
    return FileKind::inductor_code;
  } else if (has("(torch.nn.Module):") && has("torch.ops.")) {
    return FileKind::fx_graph;
  }
  if (start.broken) return *start.broken;  // it may have been one
  return FileKind::not_understood;
}

std::string why_no_content(const std::filesystem::path& file) {
  const Start start = read_start(file, kBytesSniffed);
  const auto has = [&](const char* part) { return start.bytes.find(part) != std::string::npos; };
  if (start.bytes.empty()) return "it is empty";
  if (without_gz(file.filename().string()).ends_with(".json")) {
    return "it has neither the events of a trace nor the nodes of an execution trace";
  }
  if (has("@triton") || has("triton_heuristics")) {
    return "it is the source of a Triton kernel; what is read is the generated code that calls it (output_code.py)";
  }
  if (has("@dvm.kernel")) {
    return "it is the source of a DVM kernel; what is read is the generated code that calls it (output_code.py)";
  }
  return "it is no code that a compiler of graphs generates";
}

bool is_trace_without_events(const std::filesystem::path& file) {
  const Start start = read_start(file, kBytesSniffed);
  constexpr std::string_view kKey = "\"traceEvents\"";
  std::string_view rest = start.bytes;
  const size_t key = rest.find(kKey);
  if (key == rest.npos) return false;
  rest.remove_prefix(key + kKey.size());
  for (const char expected : {':', '[', ']'}) {
    rest = trim(rest);
    if (!rest.starts_with(expected)) return false;
    rest.remove_prefix(1);
  }
  return true;
}

Family family_of(FileKind kind, std::string_view file_name) {
  if (kind == FileKind::not_understood) return Family::none;
  if (const NameOfKind* found = find_name(file_name)) return found->family;
  return kind == FileKind::kineto_trace ? Family::kineto : Family::graph;  // by their content
}

std::string numbered_name(FileKind kind, Family family) {
  for (const NameOfKind& one : kNames) {
    const size_t number = one.pattern.find("#*");
    if (one.kind != kind || one.family != family || number == std::string_view::npos) continue;
    return std::string(one.pattern).erase(number, 1);
  }
  return "";
}

bool is_content(FileKind kind) {
  return kind != FileKind::not_understood && kind != FileKind::profiler_info && kind != FileKind::profiler_metadata &&
         kind != FileKind::msprof_info && kind != FileKind::ms_framework && kind != FileKind::ms_cluster_steps;
}

Result<std::string> first_bytes(const std::filesystem::path& file, size_t most) {
  Start start = read_start(file, most);
  // What there is suffices; the reader will report the rest.
  if (start.bytes.empty() && start.broken) return *std::move(start.broken);
  return std::move(start.bytes);
}

SourceFile detect(const std::filesystem::path& file, FileKind kind) {
  SourceFile found;
  found.kind = kind;
  std::error_code ec;
  found.bytes = std::filesystem::file_size(file, ec);
  if (ec) found.bytes = 0;
  if (found.kind == FileKind::not_understood) {
    found.why_not = why_unread(without_gz(file.filename().string()));
    return found;
  }
  found.gzip = is_gzip(file);
  const Result<std::string> bytes = first_bytes(file, kFirstBytes);
  if (!bytes.ok()) {
    found.state = FileState::unreadable;
    found.why_not = "it cannot be read: " + bytes.error().message;
  } else if (bytes.value().empty()) {
    found.state = FileState::empty;
    found.why_not = "it is empty";
  } else if (std::string why = mismatch(found.kind, bytes.value()); !why.empty()) {
    found.state = FileState::wrong_format;
    found.why_not = std::move(why);
  } else if (opens_with(kind) == Opens::database && found.gzip) {
    found.state = FileState::wrong_format;
    found.why_not = "it is compressed: inflate it first";
  } else {
    found.state = FileState::usable;
    if (opens_with(kind) == Opens::database) look_into_database(file, found);
  }
  return found;
}

}  // namespace stepwise::ingest
