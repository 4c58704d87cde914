#include "stepwise/column.hpp"

#include <cstddef>

namespace stepwise::sdk {
namespace {

const sw_column* column_at(const sw_table& table, uint32_t index) {
  return reinterpret_cast<const sw_column*>(reinterpret_cast<const char*>(table.columns) +
                                            size_t{index} * table.column_stride);
}

const sw_column* find(const sw_table& table, std::string_view name) {
  for (uint32_t i = 0; i < table.column_count; ++i) {
    const sw_column* column = column_at(table, i);
    if (std::string_view(column->name.ptr, column->name.len) == name) return column;
  }
  return nullptr;
}

// Empty: it fits.
std::string misfit(const table::ColumnDecl& decl, const sw_column& column, uint64_t rows) {
  const bool code = decl.type == table::Type::code;
  const size_t needed = code ? sizeof(sw_column) : offsetof(sw_column, dict_offsets);
  if (column.size < needed) return "it is described too shortly";
  if (column.type != static_cast<uint32_t>(decl.type)) return "it has another type than declared";
  if (column.rows != rows) return "it is not as long as the table";
  if (rows > 0 && column.data == nullptr) return "it has no data";
  if (code && column.dict_count > 0 && (column.dict_offsets == nullptr || column.dict_bytes == nullptr)) {
    return "it has no dictionary";
  }
  return {};
}

}  // namespace

std::optional<TableView> TableView::bind(const table::TableDecl& decl, const sw_table& table, std::string& why) {
  if (table.size < sizeof(sw_table) ||
      (table.column_count > 0 && table.column_stride < offsetof(sw_column, dict_offsets))) {
    why = "the host describes it too shortly";
    return std::nullopt;
  }
  std::vector<const sw_column*> columns;
  columns.reserve(decl.columns.size());
  for (const table::ColumnDecl& column_decl : decl.columns) {
    const sw_column* column = find(table, column_decl.name);
    const std::string fault = column != nullptr       ? misfit(column_decl, *column, table.rows)
                              : !column_decl.nullable ? std::string("the host does not have it")
                                                      : std::string();
    if (!fault.empty()) {
      why = "column `" + std::string(column_decl.name) + "`: " + fault;
      return std::nullopt;
    }
    columns.push_back(column);
  }
  return TableView(table, std::move(columns));
}

}  // namespace stepwise::sdk
