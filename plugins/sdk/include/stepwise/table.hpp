// How a table is declared: once, here; store, SQL, docs and plugins all read the declaration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace stepwise::table {

enum class Type : uint8_t { i64, f64, u8, code };  // code: int32 into the segment's own dictionary
enum class Unit : uint8_t { none, ns, bytes, count, ratio };

struct ColumnDecl {
  const char* name;
  Type type;
  Unit unit;
  bool nullable;
  const char* says;
};

/// Which segment holds a table: one of a rank's summary files, its timeline, graphs, or what a tool wrote about all
/// ranks (read with the lowest rank, like graphs).
enum class Group : uint8_t { files, trace, graph, cluster };

struct TableDecl {
  const char* name;
  const char* sorted_by;  // "": file order
  std::span<const ColumnDecl> columns;
  const char* says;
};

/// Typed handle of a column: a wrong type or a wrong name does not compile.
template <Type T, size_t I>
struct Col {
  static constexpr Type type = T;
  static constexpr size_t index = I;
};

consteval size_t find_column(std::span<const ColumnDecl> columns, std::string_view name) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  throw "no column of that name in the table's declaration";
}

inline constexpr ColumnDecl required_i64(const char* name, Unit unit, const char* says) {
  return {name, Type::i64, unit, false, says};
}
inline constexpr ColumnDecl optional_i64(const char* name, Unit unit, const char* says) {
  return {name, Type::i64, unit, true, says};
}
inline constexpr ColumnDecl optional_f64(const char* name, Unit unit, const char* says) {
  return {name, Type::f64, unit, true, says};
}
inline constexpr ColumnDecl required_u8(const char* name, Unit unit, const char* says) {
  return {name, Type::u8, unit, false, says};
}
inline constexpr ColumnDecl required_code(const char* name, const char* says) {
  return {name, Type::code, Unit::none, false, says};
}
inline constexpr ColumnDecl optional_code(const char* name, const char* says) {
  return {name, Type::code, Unit::none, true, says};
}

}  // namespace stepwise::table

/// Inside a table's namespace: declares the handle `column` by its name in kColumns.
#define SW_COLUMN(column)                                                                                   \
  inline constexpr ::stepwise::table::Col<kColumns[::stepwise::table::find_column(kColumns, #column)].type, \
                                          ::stepwise::table::find_column(kColumns, #column)>                \
      column {}
