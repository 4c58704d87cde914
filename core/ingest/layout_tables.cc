// Which table comes from which file, and so in which segment it is.
#include <algorithm>
#include <array>
#include <iterator>

#include "core/ingest/layout.h"

namespace stepwise::ingest {
namespace {

constexpr unsigned bit(ProfileKind kind) { return 1u << static_cast<unsigned>(kind); }
// MindSpore since 2.4 leaves the same files as torch_npu.
constexpr unsigned kTorchNpu = bit(ProfileKind::torch_npu) | bit(ProfileKind::mindspore),
                   kMsprof = bit(ProfileKind::msprof), kKineto = bit(ProfileKind::kineto), kAny = ~0u;

/// Where profiles of some kinds keep a table: any of the files fills it.
struct Origin {
  const char* table;
  unsigned profiles;
  table::Group group;
  std::array<FileKind, 4> files;
};

constexpr Origin from(const char* table, unsigned profiles, table::Group group, FileKind first,
                      FileKind second = FileKind::not_understood, FileKind third = FileKind::not_understood,
                      FileKind fourth = FileKind::not_understood) {
  return {table, profiles, group, {first, second, third, fourth}};
}

using table::Group;
constexpr Origin kOrigins[] = {
    from("kernel", kTorchNpu, Group::files, FileKind::kernel_details, FileKind::profiler_db),
    from("kernel", kMsprof, Group::files, FileKind::op_summary, FileKind::profiler_db),
    from("kernel", kKineto, Group::trace, FileKind::kineto_trace),
    from("kernel_link", kAny, Group::trace, FileKind::kineto_trace),
    from("step", kTorchNpu, Group::files, FileKind::step_trace_time, FileKind::analysis_db),
    from("step", kMsprof, Group::files, FileKind::step_trace),
    from("step", kKineto, Group::trace, FileKind::kineto_trace),
    from("op_stat", kTorchNpu | kMsprof, Group::files, FileKind::op_statistic, FileKind::profiler_db),
    from("api_stat", kTorchNpu | kMsprof, Group::files, FileKind::api_statistic, FileKind::profiler_db),
    from("op_detail", kTorchNpu, Group::files, FileKind::operator_details),
    from("comm_op", kTorchNpu, Group::files, FileKind::communication, FileKind::analysis_db),
    from("comm_link", kTorchNpu, Group::files, FileKind::communication, FileKind::analysis_db),
    from("comm_packet", kTorchNpu, Group::files, FileKind::communication, FileKind::analysis_db),
    from("comm_matrix", kTorchNpu, Group::files, FileKind::communication_matrix, FileKind::analysis_db),
    from("meta", kTorchNpu, Group::files, FileKind::profiler_info, FileKind::profiler_metadata, FileKind::profiler_db),
    from("meta", kMsprof, Group::files, FileKind::msprof_info, FileKind::profiler_db),
    from("meta", kKineto, Group::trace, FileKind::kineto_trace),
    from("device_task", kTorchNpu | kMsprof, Group::trace, FileKind::trace_view, FileKind::msprof_trace,
         FileKind::profiler_db),
    from("device_task", kKineto, Group::trace, FileKind::kineto_trace),
    from("overlap_span", kTorchNpu | kMsprof, Group::trace, FileKind::trace_view, FileKind::msprof_trace,
         FileKind::profiler_db),
    from("queue", kTorchNpu, Group::trace, FileKind::trace_view, FileKind::profiler_db),
    from("counter", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace),
    from("host_op", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("runtime_api", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("python_call", kTorchNpu | kKineto, Group::trace, FileKind::trace_view, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("flow", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("step_range", kTorchNpu | kKineto, Group::trace, FileKind::trace_view, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("track", kAny, Group::trace, FileKind::trace_view, FileKind::msprof_trace, FileKind::kineto_trace,
         FileKind::profiler_db),
    from("graph_node", kAny, Group::graph, FileKind::ge_onnx, FileKind::ge_proto, FileKind::inductor_code,
         FileKind::fx_graph),
    from("graph_edge", kAny, Group::graph, FileKind::ge_onnx, FileKind::ge_proto, FileKind::inductor_code,
         FileKind::fx_graph),
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
    {FileKind::kineto_trace, "kineto_trace", "*.pt.trace.json"},
    {FileKind::ge_proto, "ge_proto", "ge_proto_*.txt"},
    {FileKind::ge_onnx, "ge_onnx", "ge_onnx_*.pbtxt"},
    {FileKind::fx_graph, "fx_graph", "fx_graph_*.py"},
    {FileKind::inductor_code, "inductor_code", "output_code.py"},
    {FileKind::not_understood, "not_understood", ""},
};

const KindName& name_of(FileKind kind) {
  const KindName* found = std::begin(kKindNames);
  while (found->kind != kind && found->kind != FileKind::not_understood) ++found;
  return *found;
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
  return std::any_of(std::begin(kOrigins), std::end(kOrigins), [&](const Origin& one) {
    const auto& files = one.files;
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

std::string input_for(ProfileKind kind, std::string_view table) {
  const Origin* origin = origin_of(kind, table);
  if (origin == nullptr) return "";
  if (kind == ProfileKind::msprof && origin->files[1] == FileKind::msprof_trace) return "msprof_*.json";
  if (kind == ProfileKind::kineto && origin->group == Group::trace) return "*.pt.trace.json";
  return name_of(origin->files[0]).file;
}

}  // namespace stepwise::ingest
