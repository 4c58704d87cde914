// How a cell of a CSV file becomes a value of a column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ingest/text_interner.h"

namespace stepwise::ingest {

/// Empty and N/A are null, except in text that the table requires.
enum class Cell : uint8_t {
  integer,
  id,        // the same; 4294967295, which is written for "none", is null
  instant,   // us of Unix time, to ns
  duration,  // us, to ns, never negative
  measured,  // the same; parts of a ns are counted as rounded
  count,     // never negative
  us,        // us, to ns
  number,
  percent,  // to a ratio
  text,
  shapes,    // text that carries quotes of its own
  lines,     // text with line breaks inside: CR is dropped
  one_line,  // the same, LF too
  constant,  // no cell: every row gets the name
};

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

  CellOutcome read(std::string_view cell, CellValue& value);
  /// Cells of kind measured that held parts of a ns.
  uint64_t rounded() const { return rounded_; }

 private:
  std::string_view without(std::string_view cell, std::string_view dropped);

  Cell kind_;
  bool required_;
  TextInterner* texts_;
  uint64_t rounded_ = 0;
  std::string scratch_;
};

}  // namespace stepwise::ingest
