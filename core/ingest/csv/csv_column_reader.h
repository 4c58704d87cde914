// A column of a CSV file on its way into a column of a table, a block of records at a time: one loop down the block
// for each column, so that what kind of cell it holds is asked once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/ingest/csv/column_filler.h"
#include "core/ingest/csv/csv_block.h"
#include "core/ingest/csv/csv_cell.h"
#include "core/ingest/csv/csv_known_cells.h"
#include "core/ingest/csv/csv_last_cell.h"

namespace stepwise::ingest {

class CsvColumnReader {
 public:
  /// texts: for kinds of text, else nullptr. The column of the table is empty, and nobody else fills it.
  CsvColumnReader(Cell kind, bool required, TextInterner* texts, store::ColumnBuffer& column);

  CellReader& cells() { return cells_; }
  const CellReader& cells() const { return cells_; }
  ColumnFiller& filler() { return filler_; }

  /// Which of the records' cells holds the column, from here on.
  void bind(size_t cell, CellUnit unit);
  size_t cell() const { return cell_; }

  /// Gathers the values of the block's cells as far as the order in which cells are read does not matter. Bit i of what
  /// is returned: that of record i was left out, because it is bad, is to be counted, or is a new text, which gets the
  /// next code.
  uint64_t read_block(const CsvBlock& block);
  /// Gathers the value of one cell that was left out.
  CellOutcome read_one(const CsvBlock& block, size_t record);

 private:
  template <class T, class Read>
  uint64_t read_down(const CsvBlock& block, Read read);
  template <class T>
  struct Taken {
    T value;
    bool is_null = false, is_left_out = false;
  };
  template <class T>
  Taken<T> read_alone(std::string_view raw);

  CellReader cells_;
  ColumnFiller filler_;
  size_t cell_ = 0;
  LastCell last_;
  CellValue last_value_;               // of the cell above
  std::unique_ptr<KnownCells> known_;  // of a column of texts
  std::string scratch_;
};

}  // namespace stepwise::ingest
