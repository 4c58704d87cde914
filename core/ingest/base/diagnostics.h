// What reading lost, guessed or found odd. Loss is not an error: readers count it here and go on; every answer can
// show it. Becomes the table `diagnostic`.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/store/segment.h"

namespace stepwise::ingest {

enum class Severity : uint8_t { info, warning, data_loss };
const char* to_string(Severity severity);

/// One kind of thing that can go wrong quietly; the list stands in diagnostics.cc and in docs/errors.md.
enum class Diag : uint8_t {
  file_empty,            // no bytes
  file_unreadable,       // could not be opened or read to its end
  file_wrong_format,     // first bytes are not what the name says
  file_cut,              // ends in the middle of a record
  gzip_damaged,          // inflating stopped
  slices_missing,        // of a table or timeline that was cut into files
  csv_no_header,         // first record lacks the columns that make the file what it is
  csv_no_rows,           // a header and nothing usable below it: as if the file were not there
  csv_duplicate_column,  // a column that counts stands twice: nobody can tell which is meant
  csv_ragged_record,     // more or fewer cells than the header: left out
  csv_bad_cell,          // a cell that must be a number is none: row left out
  csv_record_too_long,
  csv_no_final_newline,  // a last record with all its cells but no line break: its last cell may be cut
  csv_column_unused,     // a column that no table has (info)
  csv_time_rounded,      // measured finer than ns: rounded half to even
  timestamp_destroyed,   // 1.69512E+15
  text_not_utf8,         // bytes replaced
  json_syntax,           // a summary file that does not parse
  json_too_long,         // a value that is not read at once
  json_shape,            // a value where another type was expected
  db_damaged,            // a database that cannot be opened, or not be read to its end
  db_no_columns,         // a table lacks the columns that make it what it is
  db_bad_row,            // a row without what it must have: left out
  db_changes_apart,      // a writer left changes beside the file that are not in it
  db_table_unused,       // a table that nothing reads (info)
  event_bad,             // a trace event without ph, ts, dur... or that does not parse
  event_too_long,
  event_unpaired,         // a flow start without an end, or the reverse
  event_flow_unbound,     // a flow end that lies on no slice
  event_overlapping,      // slices of a track that cannot nest: kept at the depth where they fit
  event_other_phase,      // a kind of event that no table has (info)
  event_begin_end,        // slices written as two events, B and E: no table has them
  event_duplicate,        // slices that stand twice, alike in all that identifies one
  event_device_unread,    // a slice with a device's arguments, and a category that no table has or none
  graph_syntax,           // a graph's text does not parse
  graph_none,             // no graph, or nothing in it
  graph_input_unknown,    // an input names no node of its graph
  graph_duplicate_node,   // two nodes of one name
  graph_line_unread,      // a statement of generated code that was not understood
  graph_too_large,        // more nodes than any real graph
  graph_node_incomplete,  // a node without a name or type, or with one that is cut
  graph_node_unread,      // an element of a list of nodes that is none: left out
  graph_field_type,       // a field of a node with a value of another type: as if it were not there
  trace_base_unknown,     // cut before the origin of its times
  time_implausible_span,  // kernels that start more than a month from the others
  time_clock_jump,        // few slices or kernels very far from all others
  kernel_without_slice,   // kernels of the summary file that the timeline does not have
  kernel_unlinked,        // nobody knows what launched it (info)
  launch_after_kernel,    // a kernel that starts before the call that launched it
  launch_clocks_differ,   // most kernels do: it is not chance
  launch_without_kernel,  // calls that launch kernels, and no kernel
  calls_linked_by_order,  // calls of an execution trace, where the timeline has no numbers of its own
  calls_not_linked,       // the same, that were not found
  step_backwards,         // a step that begins before the one with the number before it
  step_duplicate,         // two steps with one number
  rank_duplicate,         // two directories claim one rank
  files_disagree,         // two files of one run say different things
  count_,
};
struct DiagInfo {
  const char* code;  // "csv.ragged_record"
  Severity severity;
  const char* says;  // a sentence
};
const DiagInfo& info(Diag diag);

/// [any thread]
class Diagnostics {
 public:
  /// place: line of a text file (1 = first), or byte offset of a JSON one. detail completes the sentence, e.g. names
  /// of columns; the first of each (diag, file) is kept.
  void count(Diag diag, const std::string& file, std::optional<int64_t> place = std::nullopt, uint64_t n = 1,
             const std::string& detail = "");
  uint64_t total(Diag diag) const;
  /// Fills the table `diagnostic`, ordered by file, then kind.
  void write_to(store::SegmentBuilder& segment) const;

 private:
  struct Entry {
    uint64_t count = 0;
    std::optional<int64_t> first_place;
    std::string detail;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, Diag>, Entry> entries_;
};

}  // namespace stepwise::ingest
