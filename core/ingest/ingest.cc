#include "core/ingest/ingest.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/ingest/base/export_name.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/cross_check.h"
#include "core/ingest/timeline/kernel_rows.h"
#include "core/ingest/timeline/kineto_trace.h"
#include "core/ingest/timeline/trace_view.h"
#include "stepwise/tables_device.hpp"

#ifndef STEPWISE_INGEST_PRINT
#error "the build defines STEPWISE_INGEST_PRINT: the hash of the readers' sources (core/ingest/CMakeLists.txt)"
#endif

namespace stepwise::ingest {
namespace {

struct ReaderOf {
  FileKind kind;
  table::Group group;
  Reader* read;
  bool has_slices = false;   // several files are one table or timeline, and are read together
  bool is_fallback = false;  // read last: fills only what no other file has filled, or adds to it
};
constexpr ReaderOf kReaders[] = {
    {FileKind::kernel_details, table::Group::files, read_kernel_details},
    {FileKind::step_trace_time, table::Group::files, read_step_trace_time},
    {FileKind::op_summary, table::Group::files, read_op_summary, true},
    {FileKind::step_trace, table::Group::files, read_step_trace, true},
    {FileKind::op_statistic, table::Group::files, read_op_statistic, true},
    {FileKind::api_statistic, table::Group::files, read_api_statistic, true},
    {FileKind::operator_details, table::Group::files, read_operator_details},
    {FileKind::memory_record, table::Group::files, read_memory_record, true},
    {FileKind::npu_mem, table::Group::files, read_npu_mem, true, true},
    {FileKind::operator_memory, table::Group::files, read_operator_memory, true},
    {FileKind::npu_module_mem, table::Group::files, read_npu_module_mem, true},
    {FileKind::static_op_mem, table::Group::files, read_static_op_mem, true},
    {FileKind::l2_cache, table::Group::files, read_l2_cache, true},
    {FileKind::data_preprocess, table::Group::files, read_data_preprocess, true},
    {FileKind::fusion_op, table::Group::files, read_fusion_op, true},
    {FileKind::communication, table::Group::files, read_communication},
    {FileKind::profiler_info, table::Group::files, read_metadata},
    {FileKind::profiler_metadata, table::Group::files, read_metadata},
    {FileKind::communication_matrix, table::Group::files, read_communication_matrix},
    {FileKind::msprof_info, table::Group::files, read_metadata},
    {FileKind::ms_operator_types, table::Group::files, read_ms_operator_types},
    {FileKind::ms_operator_names, table::Group::files, read_ms_operator_names},
    {FileKind::ms_aicpu, table::Group::files, read_ms_aicpu},
    {FileKind::ms_timeline, table::Group::files, read_ms_timeline},
    {FileKind::ms_steps, table::Group::files, read_ms_steps},
    {FileKind::ms_hccl, table::Group::files, read_ms_hccl},
    {FileKind::trace_view, table::Group::trace, read_trace_view},
    {FileKind::msprof_trace, table::Group::trace, read_trace_view, true},
    {FileKind::kineto_trace, table::Group::trace, read_kineto_trace},
    {FileKind::ge_proto, table::Group::graph, read_ge_proto},
    {FileKind::ge_onnx, table::Group::graph, read_ge_onnx},
    {FileKind::ge_readable, table::Group::graph, read_ge_readable},
    {FileKind::fx_graph, table::Group::graph, read_fx_graph},
    {FileKind::inductor_code, table::Group::graph, read_inductor_code},
    {FileKind::execution_trace, table::Group::graph, read_execution_trace},
    {FileKind::cluster_step_trace, table::Group::cluster, read_cluster_step_trace},
    {FileKind::cluster_communication, table::Group::cluster, read_cluster_communication},
    {FileKind::cluster_matrix, table::Group::cluster, read_cluster_matrix},
    {FileKind::cluster_groups, table::Group::cluster, read_cluster_groups},
    {FileKind::cluster_db, table::Group::cluster, read_cluster_db, false, true},
    {FileKind::task_time, table::Group::files, read_task_time, true, true},
    {FileKind::core_utilization, table::Group::files, read_core_utilization},
    {FileKind::vector_core_utilization, table::Group::files, read_core_utilization},
    {FileKind::ms_display, table::Group::files, read_ms_display, false, true},
    {FileKind::ms_framework, table::Group::files, read_ms_framework, false, true},
    {FileKind::ms_cluster_steps, table::Group::files, read_ms_cluster_steps, false, true},
    {FileKind::analysis_db, table::Group::files, read_analysis_db, false, true},
    {FileKind::profiler_db, table::Group::files, read_profiler_db, false, true},
    {FileKind::profiler_db, table::Group::trace, read_profiler_db_timeline, false, true},
};

const ReaderOf* reader_of(FileKind kind, table::Group group) {
  for (const ReaderOf& one : kReaders) {
    if (one.kind == kind && one.group == group) return &one;
  }
  return nullptr;
}

void count_unusable(const SourceFile& file, Diagnostics& diagnostics) {
  switch (file.state) {
    case FileState::empty:
      return diagnostics.count(Diag::file_empty, file.path, std::nullopt, 1,
                               file.bytes == 0 ? "" : "Found: " + file.why_not + ".");
    case FileState::unreadable:
      return diagnostics.count(Diag::file_unreadable, file.path, std::nullopt, 1, "Found: " + file.why_not + ".");
    case FileState::wrong_format:
      return diagnostics.count(Diag::file_wrong_format, file.path, std::nullopt, 1, "Found: " + file.why_not + ".");
    case FileState::usable:
    case FileState::not_used:
      return;
  }
}

constexpr size_t kSlicesListed = 8;  // missing ones, in a diagnostic

/// The usable files of the kind; slices in their order.
std::vector<InputFile> usable_files(const ProfileLayout& layout, const RankLayout& rank, FileKind kind) {
  std::vector<InputFile> files;
  for (const SourceFile& file : rank.files) {
    if (file.kind == kind && file.state == FileState::usable) files.push_back({layout.root / file.path, file.path});
  }
  std::stable_sort(files.begin(), files.end(), [](const InputFile& a, const InputFile& b) {
    return export_name(a.relative_path).slice < export_name(b.relative_path).slice;
  });
  return files;
}

Result<void> read_together(const std::vector<InputFile>& slices, Reader* read, IngestContext context,
                           store::SegmentBuilder& out) {
  std::vector<std::string> paths;
  for (const InputFile& slice : slices) paths.push_back(slice.relative_path);
  if (const std::vector<uint32_t> missing = missing_slices(paths); !missing.empty()) {
    std::string listed;
    for (size_t i = 0; i < std::min(missing.size(), kSlicesListed); ++i) {
      listed += (i == 0 ? "" : ", ") + std::to_string(missing[i]);
    }
    if (missing.size() > kSlicesListed) listed += " and more";
    context.diagnostics.count(Diag::slices_missing, export_name(paths[0]).key, std::nullopt, missing.size(),
                              "Missing: " + listed + ".");
  }
  context.more_slices = std::span(slices).subspan(1);
  return read(slices[0].path, slices[0].relative_path, context, out);
}

/// The rank's files that the group reads, in their turn; usable or not. Of those that only fill what is left, the order
/// of their readers decides.
std::vector<const SourceFile*> files_in_turn(const RankLayout& rank, table::Group group) {
  std::vector<const SourceFile*> in_turn;
  for (const SourceFile& file : rank.files) {
    const ReaderOf* reader = reader_of(file.kind, group);
    if (reader != nullptr && !reader->is_fallback) in_turn.push_back(&file);
  }
  for (const ReaderOf& reader : kReaders) {
    if (reader.group != group || !reader.is_fallback) continue;
    for (const SourceFile& file : rank.files) {
      if (file.kind == reader.kind) in_turn.push_back(&file);
    }
  }
  return in_turn;
}

/// A usable file, or, for the first one of an export in slices, all of them.
Result<void> read_usable(const ProfileLayout& layout, const RankLayout& rank, const SourceFile& file,
                         const ReaderOf& reader, IngestContext& context, store::SegmentBuilder& out) {
  if (!reader.has_slices) return reader.read(layout.root / file.path, file.path, context, out);
  if (&file != rank.find(file.kind)) return {};
  return read_together(usable_files(layout, rank, file.kind), reader.read, context, out);
}

/// Whether a timeline is linked to kernels that the other group reads from that file.
bool holds_kernels_for(const ProfileLayout& layout, const SourceFile& file, table::Group group) {
  return group == table::Group::trace && group_of(layout.kind, table::kernel::kTable.name) == table::Group::files &&
         is_input(layout.kind, table::kernel::kTable.name, file.kind);
}

/// Whether a GPU's timeline takes numbers of calls from that file, which is in another group.
bool numbers_calls_for(const RankLayout& rank, const SourceFile& file, table::Group group) {
  return group == table::Group::trace && file.kind == FileKind::execution_trace &&
         rank.find(FileKind::kineto_trace) != nullptr;
}

/// The table kernel as the files' group has it. What reading it loses is told there. nullopt: kernels and timeline come
/// from one database.
Result<std::optional<KernelRows>> read_kernel_rows(const ProfileLayout& layout, const RankLayout& rank,
                                                   const IngestContext& timeline) {
  std::vector<const SourceFile*> files;
  for (const SourceFile* const file : files_in_turn(rank, table::Group::files)) {
    const bool is_usable = file->state == FileState::usable;
    if (is_usable && holds_kernels_for(layout, *file, table::Group::trace)) files.push_back(file);
  }
  const bool has_text_timeline =
      rank.find(FileKind::trace_view) != nullptr || rank.find(FileKind::msprof_trace) != nullptr;
  if (!has_text_timeline && files.size() == 1 && files[0]->kind == FileKind::profiler_db) {
    return std::optional<KernelRows>();
  }
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{timeline.cancel, progress, diagnostics, timeline.options};
  store::SegmentBuilder segment;
  for (const SourceFile* const file : files) {
    const ReaderOf& reader = *reader_of(file->kind, table::Group::files);
    if (reader.is_fallback && segment.has(table::kernel::kTable)) break;
    SW_RETURN_IF_ERROR(read_usable(layout, rank, *file, reader, context, segment));
  }
  return std::optional(take_kernel_rows(segment));
}

}  // namespace

Result<void> ingest_group(const ProfileLayout& layout, const RankLayout& rank, table::Group group,
                          const CancelFlag& cancel, ProgressGauge& progress, const IngestOptions& options,
                          store::SegmentBuilder& out) {
  Diagnostics diagnostics;
  IngestContext context{cancel, progress, diagnostics, options};
  uint64_t total_bytes = 0;
  for (const SourceFile& file : rank.files) {
    if (file.state == FileState::usable && reader_of(file.kind, group) != nullptr) total_bytes += file.bytes;
  }
  progress.set(0, total_bytes, group == table::Group::trace ? "reading the timeline" : "reading files");

  if (group == table::Group::files && rank.claimed) {
    diagnostics.count(
        Diag::rank_duplicate, rank.dir, std::nullopt, 1,
        "It claims rank " + std::to_string(*rank.claimed) + " and is shown as rank " + std::to_string(rank.rank) + ".");
  }
  std::optional<KernelRows> kernels;
  if (group == table::Group::trace && group_of(layout.kind, table::kernel::kTable.name) == table::Group::files) {
    SW_ASSIGN_OR_RETURN(kernels, read_kernel_rows(layout, rank, context));
    if (kernels) context.kernels = &*kernels;
  }
  std::vector<InputFile> execution_traces;
  if (group == table::Group::trace) execution_traces = usable_files(layout, rank, FileKind::execution_trace);
  context.execution_traces = execution_traces;
  for (const SourceFile* const file : files_in_turn(rank, group)) {
    if (file->state != FileState::usable) {
      count_unusable(*file, diagnostics);
    } else {
      SW_RETURN_IF_ERROR(read_usable(layout, rank, *file, *reader_of(file->kind, group), context, out));
    }
  }
  if (group == table::Group::files) SW_RETURN_IF_ERROR(check_files_agree(layout, rank, context, out));
  diagnostics.write_to(out);
  return {};
}

store::SegmentKey segment_key(const ProfileLayout& layout, const RankLayout& rank, table::Group group) {
  std::string sources = rank.claimed ? "claims " + std::to_string(*rank.claimed) + '\n' : "";
  for (const SourceFile& file : rank.files) {
    if (reader_of(file.kind, group) == nullptr && !holds_kernels_for(layout, file, group) &&
        !numbers_calls_for(rank, file, group)) {
      continue;
    }
    struct stat status {};
    const bool is_there = ::stat((layout.root / file.path).c_str(), &status) == 0;
    sources += file.path + '\0';
    // A file that is gone, or usable now and was not, is another source.
    for (const int64_t number :
         {static_cast<int64_t>(is_there), static_cast<int64_t>(file.state), static_cast<int64_t>(status.st_size),
          static_cast<int64_t>(status.st_mtim.tv_sec), static_cast<int64_t>(status.st_mtim.tv_nsec),
          static_cast<int64_t>(status.st_ctim.tv_sec), static_cast<int64_t>(status.st_ctim.tv_nsec),
          static_cast<int64_t>(status.st_ino)}) {
      sources += std::to_string(number) + ' ';
    }
    sources += '\n';
  }
  return {STEPWISE_INGEST_PRINT, hash64(sources)};
}

}  // namespace stepwise::ingest
