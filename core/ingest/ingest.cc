#include "core/ingest/ingest.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/ingest/kineto_trace.h"
#include "core/ingest/msprof_choice.h"
#include "core/ingest/readers.h"
#include "core/ingest/trace_view.h"

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
  bool is_fallback = false;  // fills only tables that no other file has filled
};
constexpr std::array<ReaderOf, 22> kReaders{{
    {FileKind::kernel_details, table::Group::files, read_kernel_details},
    {FileKind::step_trace_time, table::Group::files, read_step_trace_time},
    {FileKind::op_summary, table::Group::files, read_op_summary, true},
    {FileKind::step_trace, table::Group::files, read_step_trace, true},
    {FileKind::op_statistic, table::Group::files, read_op_statistic, true},
    {FileKind::api_statistic, table::Group::files, read_api_statistic, true},
    {FileKind::operator_details, table::Group::files, read_operator_details},
    {FileKind::communication, table::Group::files, read_communication},
    {FileKind::profiler_info, table::Group::files, read_metadata},
    {FileKind::profiler_metadata, table::Group::files, read_metadata},
    {FileKind::communication_matrix, table::Group::files, read_communication_matrix},
    {FileKind::msprof_info, table::Group::files, read_metadata},
    {FileKind::trace_view, table::Group::trace, read_trace_view},
    {FileKind::msprof_trace, table::Group::trace, read_trace_view, true},
    {FileKind::kineto_trace, table::Group::trace, read_kineto_trace},
    {FileKind::ge_proto, table::Group::graph, read_ge_proto},
    {FileKind::ge_onnx, table::Group::graph, read_ge_onnx},
    {FileKind::fx_graph, table::Group::graph, read_fx_graph},
    {FileKind::inductor_code, table::Group::graph, read_inductor_code},
    {FileKind::analysis_db, table::Group::files, read_analysis_db, false, true},
    {FileKind::profiler_db, table::Group::files, read_profiler_db, false, true},
    {FileKind::profiler_db, table::Group::trace, read_profiler_db_timeline, false, true},
}};

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
  std::vector<const SourceFile*> in_turn;
  for (const bool is_fallback : {false, true}) {
    for (const SourceFile& file : rank.files) {
      const ReaderOf* reader = reader_of(file.kind, group);
      if (reader != nullptr && reader->is_fallback == is_fallback) in_turn.push_back(&file);
    }
  }
  for (const SourceFile* next : in_turn) {
    const SourceFile& file = *next;
    const ReaderOf* reader = reader_of(file.kind, group);
    if (file.state != FileState::usable) {
      count_unusable(file, diagnostics);
    } else if (!reader->has_slices) {
      SW_RETURN_IF_ERROR(reader->read(layout.root / file.path, file.path, context, out));
    } else if (&file == rank.find(file.kind)) {  // the first one stands for all
      SW_RETURN_IF_ERROR(read_together(usable_files(layout, rank, file.kind), reader->read, context, out));
    }
  }
  diagnostics.write_to(out);
  return {};
}

store::SegmentKey segment_key(const ProfileLayout& layout, const RankLayout& rank, table::Group group) {
  std::string sources = rank.claimed ? "claims " + std::to_string(*rank.claimed) + '\n' : "";
  for (const SourceFile& file : rank.files) {
    if (reader_of(file.kind, group) == nullptr) continue;
    struct stat status {};
    const bool is_there = ::stat((layout.root / file.path).c_str(), &status) == 0;
    sources += file.path + '\0';
    // A file that is gone, or usable now and was not, is another source.
    for (const int64_t number : {static_cast<int64_t>(is_there), static_cast<int64_t>(file.state),
                                 static_cast<int64_t>(status.st_size), static_cast<int64_t>(status.st_mtim.tv_sec),
                                 static_cast<int64_t>(status.st_mtim.tv_nsec), static_cast<int64_t>(status.st_ino)}) {
      sources += std::to_string(number) + ' ';
    }
    sources += '\n';
  }
  return {STEPWISE_INGEST_PRINT, hash64(sources)};
}

}  // namespace stepwise::ingest
