#include "core/ingest/base/diagnostics.h"

#include <array>

#include "stepwise/tables.hpp"

namespace stepwise::ingest {

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::data_loss:
      break;
  }
  return "data_loss";
}

const DiagInfo& info(Diag diag) {
  static constexpr std::array<DiagInfo, static_cast<size_t>(Diag::count_)> kTable{{
      {"file.empty", Severity::data_loss, "The file is empty."},
      {"file.unreadable", Severity::data_loss, "The file could not be opened or read to its end."},
      {"file.wrong_format", Severity::data_loss, "The file's first bytes are not what its name says; it was not read."},
      {"file.cut", Severity::data_loss, "The file ends in the middle of a record; that record was left out."},
      {"file.gzip_damaged", Severity::data_loss, "Inflating stopped before the end; what came before it was read."},
      {"file.slices_missing", Severity::data_loss,
       "Files of an export that was cut into slices are not there; the others were read."},
      {"csv.no_header", Severity::data_loss,
       "The first record lacks the columns that make the file what its name says; it was not read."},
      {"csv.no_rows", Severity::data_loss, "The file has a header but no usable row below it; it counts as absent."},
      {"csv.duplicate_column", Severity::data_loss,
       "A column stands twice in the header, and nobody can tell which is meant; the file was not read."},
      {"csv.ragged_record", Severity::data_loss,
       "Records have more or fewer cells than the header; they were left out, since nobody can tell which cell is "
       "which."},
      {"csv.bad_cell", Severity::data_loss,
       "A cell that must hold a number, count or duration holds none that makes sense; its row was left out."},
      {"csv.record_too_long", Severity::data_loss, "A record is longer than any real one; it was left out."},
      {"csv.no_final_newline", Severity::warning,
       "The last record has no line break: if the file was cut there, its last cell is too short."},
      {"csv.column_unused", Severity::info, "Columns that no table holds were not read."},
      {"csv.time_rounded", Severity::warning,
       "Durations are finer than a nanosecond; each was rounded to the nearest, so sums may differ from the file's."},
      {"csv.timestamp_destroyed", Severity::data_loss,
       "Timestamps were rounded by a spreadsheet (as 1.69512E+15); their rows were left out."},
      {"text.not_utf8", Severity::warning, "Bytes that are no UTF-8 were replaced by U+FFFD."},
      {"json.syntax", Severity::data_loss, "The JSON does not parse; what stands before the place was read."},
      {"json.too_long", Severity::data_loss, "A value is longer than any real one; it was left out."},
      {"json.shape", Severity::data_loss, "A value has another type than expected; what it belongs to was left out."},
      {"db.damaged", Severity::data_loss, "The database is damaged; what came before the place was read."},
      {"db.no_columns", Severity::data_loss,
       "A table lacks the columns that make it what its name says; it was not read."},
      {"db.bad_row", Severity::data_loss,
       "A row of a database lacks what it must have, or holds values that make no sense; it was left out."},
      {"db.changes_apart", Severity::warning,
       "A program that had the database open left changes in a file ending in -wal beside it; they were not read."},
      {"db.table_unused", Severity::info, "Tables that nothing here takes were not read."},
      {"event.bad", Severity::data_loss, "Trace events that do not parse, or lack ph, ts or dur, were left out."},
      {"event.too_long", Severity::data_loss, "A trace event is longer than any real one; it was left out."},
      {"event.unpaired", Severity::warning, "Flow starts without an end, or ends without a start, link nothing."},
      {"event.flow_unbound", Severity::warning, "Flow ends that lie on no slice link nothing."},
      {"event.overlapping", Severity::warning,
       "Slices of a track overlap without nesting; each was kept at the depth where it fits."},
      {"event.other_phase", Severity::info, "Events of a kind that no table holds were not read."},
      {"event.begin_end", Severity::warning,
       "Slices written as a begin and an end of their own (ph B and E) were not read; only whole ones (ph X) are."},
      {"event.duplicate", Severity::warning,
       "Slices stand twice in the timeline, alike in track, time, name and ids; both were kept, so sums count them "
       "twice."},
      {"event.device_unread", Severity::warning,
       "Slices with a device's arguments (correlation, and stream or device) have no category (cat), or one that no "
       "table holds; they were not read, so device work may be missing."},
      {"graph.syntax", Severity::data_loss, "The graph's text does not parse; the nodes before the place were read."},
      {"graph.none", Severity::data_loss, "The file holds no graph, or one without nodes; it counts as absent."},
      {"graph.input_unknown", Severity::warning,
       "Inputs name nodes that their graph does not have; they are no edges."},
      {"graph.duplicate_node", Severity::warning, "Nodes share a name; edges were taken to mean the first of them."},
      {"graph.line_unread", Severity::warning,
       "Statements of generated code were not understood; if they compute something, nodes are missing."},
      {"graph.too_large", Severity::data_loss, "The graph has more nodes than any real one; the rest was left out."},
      {"graph.node_incomplete", Severity::data_loss,
       "Nodes lack a name or type, or have one that is too long or no text; they were kept as far as they can be "
       "read."},
      {"graph.node_unread", Severity::data_loss,
       "Nodes of an execution trace that do not parse, or lack an id or a name, were left out."},
      {"graph.field_type", Severity::data_loss,
       "Fields of nodes hold values of another type than the format has there; they count as absent."},
      {"trace.base_unknown", Severity::warning,
       "The timeline was cut before it said from when its times count: they are right among themselves only."},
      {"time.implausible_span", Severity::warning,
       "Kernels start more than 30 days from the middle one; whatever spans the whole recording, and steps and gaps "
       "beside them, mean nothing."},
      {"time.clock_jump", Severity::warning,
       "A clock jumped: a few slices or kernels start much farther from all others than those span; whatever spans the "
       "whole recording, and gaps and steps beside them, mean nothing."},
      {"kernel.not_in_timeline", Severity::warning,
       "Kernels of the summary file have no slice in the timeline: one of the two is not whole, or of another run."},
      {"kernel.unlinked", Severity::info, "Nothing says what launched these kernels."},
      {"launch.after_kernel", Severity::warning,
       "Kernels start before the call that launched them: the device's clock and the host's agree no closer than "
       "that, and times between a launch and its kernel mean nothing below it."},
      {"launch.clocks_differ", Severity::warning,
       "Most kernels start before the call that launched them: the device's clock and the host's differ, so host and "
       "device times must not be compared."},
      {"launch.without_kernel", Severity::warning,
       "Calls that launch kernels have none on the device: the collector lost device work, or the calls were captured "
       "into a graph."},
      {"calls.linked_by_order", Severity::warning,
       "The timeline has no numbers of calls: those of the execution trace were given to its calls by their order, "
       "thread by thread, where all names agree."},
      {"calls.not_linked", Severity::warning,
       "The timeline has no numbers of calls, and their order on no thread tells which calls of the execution trace "
       "these "
       "are: they cannot be joined."},
      {"step.backwards", Severity::warning,
       "Steps begin before the step with the number before theirs: the clock jumped, or recordings were mixed."},
      {"step.duplicate", Severity::warning, "Steps share a number; what is told by step number counts them together."},
      {"rank.duplicate", Severity::warning, "Two directories claim one rank; the later one was given a free number."},
      {"files.disagree", Severity::warning,
       "Two files of one run say different things; answers come from the text files, or the first one named."},
  }};
  return kTable[static_cast<size_t>(diag)];
}

void Diagnostics::count(Diag diag, const std::string& file, std::optional<int64_t> place, uint64_t n,
                        const std::string& detail) {
  if (n == 0) return;
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] = entries_.try_emplace({file, diag});
  Entry& entry = it->second;
  if (is_new) {
    entry.detail = detail;
    entry.first_place = place;
  }
  // Readers on several threads report in any order: the smallest place is the first.
  if (place && (!entry.first_place || *place < *entry.first_place)) {
    entry.first_place = place;
    if (!detail.empty()) entry.detail = detail;
  }
  entry.count += n;
}

uint64_t Diagnostics::total(Diag diag) const {
  const std::lock_guard lock(mutex_);
  uint64_t total = 0;
  for (const auto& [key, entry] : entries_) {
    if (key.second == diag) total += entry.count;
  }
  return total;
}

void Diagnostics::write_to(store::SegmentBuilder& segment) const {
  namespace column = table::diagnostic;
  const std::lock_guard lock(mutex_);
  store::TableBuilder& rows = segment.table(column::kTable);
  for (const auto& [key, entry] : entries_) {
    const auto& [file, diag] = key;
    const DiagInfo& kind = info(diag);
    std::string text = kind.says;
    if (!entry.detail.empty()) text += " " + entry.detail;
    rows.append(column::code, kind.code);
    rows.append(column::severity, to_string(kind.severity));
    rows.append(column::text, text);
    rows.append(column::file, file);
    rows.append_or_null(column::line, entry.first_place);
    rows.append(column::count, static_cast<int64_t>(entry.count));
    rows.end_row();
  }
}

}  // namespace stepwise::ingest
