// From a CSV file to a table: a format is a list of which column of the header goes where, and how its cells are read.
//
// Columns are found by name, never by position. A row with a cell that cannot be read is left out and counted, never
// half filled: a cell that makes no sense mostly means that its neighbours are shifted. Columns that no table holds
// are named once. Rows come out in the order that the table declares.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/ingest/base/context.h"
#include "core/ingest/csv/csv_cell.h"
#include "stepwise/table.hpp"

namespace stepwise::ingest {

struct CsvColumn {
  size_t column;  // of the table
  Cell cell;
  std::array<const char*, 3> names;  // by which versions of the profiler call it; nullptr: no more. They may tell units
  bool is_required;                  // in this format, though the table can do without it
  bool is_completed = false;  // the file may do without it, though the table cannot: CsvFormat::complete fills it
};

template <table::Type T, size_t I>
constexpr CsvColumn checked_csv_column(Cell cell, std::array<const char*, 3> names, bool is_required) {
  const bool is_text = cell == Cell::text || cell == Cell::shapes || cell == Cell::lines || cell == Cell::one_line ||
                       cell == Cell::constant || cell == Cell::rank_set;
  const bool is_real = cell == Cell::number || cell == Cell::percent;
  if ((T == table::Type::code) != is_text || (T == table::Type::f64) != is_real || T == table::Type::u8) {
    throw "the column cannot hold what such a cell gives";
  }
  return {I, cell, names, is_required};
}

/// Ties a table's column to a header's; a kind of cell that the column's type cannot hold does not compile.
template <table::Type T, size_t I>
consteval CsvColumn csv_column(table::Col<T, I>, Cell cell, const char* name, const char* other_name = nullptr,
                               const char* third_name = nullptr) {
  return checked_csv_column<T, I>(cell, {name, other_name, third_name}, false);
}

/// The same for a column without which the file is not what it is taken for.
template <table::Type T, size_t I>
consteval CsvColumn required_csv_column(table::Col<T, I>, Cell cell, const char* name,
                                        const char* other_name = nullptr) {
  return checked_csv_column<T, I>(cell, {name, other_name, nullptr}, true);
}

/// The same for a column that CsvFormat::complete fills where the file does not.
template <table::Type T, size_t I>
consteval CsvColumn completed_csv_column(table::Col<T, I>, Cell cell, const char* name) {
  CsvColumn one = checked_csv_column<T, I>(cell, {name, nullptr, nullptr}, false);
  one.is_completed = true;
  return one;
}

/// What a format makes of a row whose cells were read.
enum class CsvRow : uint8_t {
  whole,
  senseless,  // left out, and counted
  summary,    // of the others: no row of the table, and no loss
};

struct CsvFormat {
  const table::TableDecl& table;
  std::span<const CsvColumn> columns;                      // the table's others, but src_pos, are null
  size_t src_pos;                                          // gets the row's number, 1 = first after the header
  bool has_short_rows = false;                             // rows may lack their last cells, which are null then
  CsvRow (*complete)(std::span<CellValue> row) = nullptr;  // values in the order of `columns`
};

/// Reads the file and the context's more_slices, each of which has a header of its own, as one table; row numbers go
/// on from slice to slice. Errors: cancelled. Everything else is counted in the context's diagnostics; without a usable
/// header or a usable row there is no table.
Result<void> read_csv_table(const CsvFormat& format, const std::filesystem::path& file,
                            const std::string& relative_path, IngestContext& context, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
