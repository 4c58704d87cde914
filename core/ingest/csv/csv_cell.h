// How a cell of a CSV file becomes a value of a column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ingest/base/text_interner.h"

namespace stepwise::ingest {

/// Empty and N/A are null, except in text that the table requires.
enum class Cell : uint8_t {
  integer,
  id,              // the same; 4294967295, which is written for "none", is null
  instant,         // us of Unix time, to ns
  duration,        // us, to ns, never negative
  measured,        // the same; parts of a ns are counted as rounded
  count,           // never negative
  step,            // the number of a step; "-", which stands in a row of means, is null
  index,           // "NA" is null, too
  rank,            // of a row about one rank; about a group it is null
  rank_set,        // "(0, 1)", to "0,1"; about one rank it is null
  instant_ms,      // ms since the device's start, to ns
  duration_ms,     // ms, to ns, never negative
  fine_ms,         // ms, to ps, never negative: for sums
  instant_ticks,   // of 10 ns, since the device's start, to ns
  duration_ticks,  // of 10 ns, to ns, never negative
  us,              // us, to ns
  bytes,           // KB or MB of 1024s, as the header says, to bytes; below 0, which is written for "unknown", is null
  size,            // the same of one block: those that were only seen being released are written with a minus
  number,
  percent,  // to a ratio
  text,
  shapes,    // text that carries quotes of its own
  lines,     // text with line breaks inside: CR is dropped
  one_line,  // the same, LF too
  constant,  // no cell: every row gets the name
};

/// What the column's header says of its figures: "Total Allocated(MB)".
enum class CellUnit : uint8_t { usual, ms, mb };
CellUnit unit_of_header(std::string_view header);

/// Which of the three counts is told by the column's type. A null has zeros.
struct CellValue {
  bool is_null = true;
  int64_t i64 = 0;
  double f64 = 0;
  int32_t code = 0;
};

enum class CellOutcome : uint8_t { good, bad, destroyed_timestamp };

/// One column's cells, one after the other.
class CellReader {
 public:
  /// texts: for kinds of text, else nullptr. required: null is bad.
  CellReader(Cell kind, bool required, TextInterner* texts) : kind_(kind), required_(required), texts_(texts) {}

  /// Of the cells that follow. Durations are in us unless it says ms, bytes in KB unless it says MB.
  void set_unit(CellUnit unit) { unit_ = unit; }

  Cell kind() const { return kind_; }
  CellOutcome read(std::string_view cell, CellValue& value);
  /// The same of no text, as if no other cell were read: false, and nothing is counted, if it is not good or is one
  /// that counts.
  bool read_alone(std::string_view cell, CellValue& value);
  /// Cells of kind measured that held parts of a ns.
  uint64_t rounded() const { return rounded_; }
  /// Everything that was counted on the way so far.
  uint64_t oddities() const { return rounded_ + (texts_ == nullptr ? 0 : texts_->repaired()); }

 private:
  std::string_view without(std::string_view cell, std::string_view dropped);

  CellOutcome read_duration(std::string_view cell, CellValue& value) const;
  CellOutcome read_bytes(std::string_view cell, CellValue& value) const;

  Cell kind_;
  CellUnit unit_ = CellUnit::usual;
  bool required_;
  TextInterner* texts_;
  uint64_t rounded_ = 0;
  std::string scratch_;
};

}  // namespace stepwise::ingest
