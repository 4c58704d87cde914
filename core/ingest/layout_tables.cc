// Which table comes from which file, and so in which segment it is.
#include <array>

#include "core/ingest/layout.h"

namespace stepwise::ingest {
namespace {

struct Origin {
  const char* table;
  table::Group group;
  FileKind file;
};
constexpr std::array<Origin, 19> kOrigins{{
    {"kernel", table::Group::files, FileKind::kernel_details},
    {"step", table::Group::files, FileKind::step_trace_time},
    {"op_stat", table::Group::files, FileKind::op_statistic},
    {"api_stat", table::Group::files, FileKind::api_statistic},
    {"op_detail", table::Group::files, FileKind::operator_details},
    {"comm_op", table::Group::files, FileKind::communication},
    {"comm_link", table::Group::files, FileKind::communication},
    {"comm_packet", table::Group::files, FileKind::communication},
    {"meta", table::Group::files, FileKind::profiler_info},
    {"device_task", table::Group::trace, FileKind::trace_view},
    {"overlap_span", table::Group::trace, FileKind::trace_view},
    {"counter", table::Group::trace, FileKind::trace_view},
    {"host_op", table::Group::trace, FileKind::trace_view},
    {"runtime_api", table::Group::trace, FileKind::trace_view},
    {"python_call", table::Group::trace, FileKind::trace_view},
    {"queue", table::Group::trace, FileKind::trace_view},
    {"flow", table::Group::trace, FileKind::trace_view},
    {"step_range", table::Group::trace, FileKind::trace_view},
    {"track", table::Group::trace, FileKind::trace_view},
}};

const Origin* origin_of(std::string_view table) {
  for (const Origin& one : kOrigins) {
    if (one.table == table) return &one;
  }
  return nullptr;  // diagnostic: every segment has one
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

const char* to_string(FileKind kind) {
  switch (kind) {
    case FileKind::kernel_details:
      return "kernel_details";
    case FileKind::step_trace_time:
      return "step_trace_time";
    case FileKind::op_statistic:
      return "op_statistic";
    case FileKind::api_statistic:
      return "api_statistic";
    case FileKind::operator_details:
      return "operator_details";
    case FileKind::communication:
      return "communication";
    case FileKind::profiler_info:
      return "profiler_info";
    case FileKind::profiler_metadata:
      return "profiler_metadata";
    case FileKind::trace_view:
      return "trace_view";
    case FileKind::not_understood:
      break;
  }
  return "not_understood";
}

const SourceFile* RankLayout::find(FileKind kind) const {
  for (const SourceFile& file : files) {
    if (file.kind == kind && file.state == FileState::usable) return &file;
  }
  return nullptr;
}

// Only torch_npu profiles can be opened so far; their tables have one place each.
table::Group group_of(ProfileKind, std::string_view table) {
  const Origin* origin = origin_of(table);
  return origin == nullptr ? table::Group::files : origin->group;
}

bool could_have(const ProfileLayout&, const RankLayout& rank, std::string_view table) {
  const Origin* origin = origin_of(table);
  if (origin == nullptr) return table == "diagnostic";
  if (rank.find(origin->file) != nullptr) return true;
  return origin->file == FileKind::profiler_info && rank.find(FileKind::profiler_metadata) != nullptr;
}

std::string input_for(ProfileKind, std::string_view table) {
  const Origin* origin = origin_of(table);
  if (origin == nullptr) return "";
  const bool is_json = origin->file == FileKind::communication || origin->file == FileKind::profiler_info ||
                       origin->file == FileKind::trace_view;
  return std::string(to_string(origin->file)) + (is_json ? ".json" : ".csv");
}

}  // namespace stepwise::ingest
