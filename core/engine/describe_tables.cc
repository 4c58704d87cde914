#include "core/engine/describe_tables.h"

#include "core/base/text.h"
#include "core/engine/open_profile.h"
#include "core/ingest/layout.h"
#include "core/store/cache.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

const char* type_name(table::Type type) {
  switch (type) {
    case table::Type::i64:
      return "integer";
    case table::Type::f64:
      return "number";
    case table::Type::u8:
      return "byte";
    case table::Type::code:
      return "text";
  }
  return "";
}

const char* unit_name(table::Unit unit) {
  switch (unit) {
    case table::Unit::none:
      return "";
    case table::Unit::ns:
      return "ns";
    case table::Unit::bytes:
      return "bytes";
    case table::Unit::count:
      return "count";
    case table::Unit::ratio:
      return "ratio";
  }
  return "";
}

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const table::TableDecl* decl : table::kAllTables) names.emplace_back(decl->name);
  return names;
}

Json columns_of(const table::TableDecl& decl) {
  Json columns = Json::array();
  for (const table::ColumnDecl& column : decl.columns) {
    columns.push_back({{"column", column.name},
                       {"type", type_name(column.type)},
                       {"unit", unit_name(column.unit)},
                       {"nullable", column.nullable},
                       {"says", column.says}});
  }
  return columns;
}

std::string_view text(sw_str view) { return {view.ptr, view.len}; }

}  // namespace

Json describe_tables_declaration() {
  return {{"name", "describe_tables"},
          {"title", "Tables of a profile"},
          {"description",
           "The tables that the files of a rank fill, with row counts, or one table with its columns and units."},
          {"per", "rank"},
          {"default_limit", 50},
          {"uses", table_names()},
          {"input",
           {{"type", "object"},
            {"properties", {{"table", {{"type", "string"}, {"description", "One table, with its columns."}}}}}}},
          {"output", {{"type", "object"}, {"properties", {{"rows", {{"type", "array"}, {"x-role", "data"}}}}}}},
          {"view", {{"columns", {"table", "group", "rows", "source_file", "says"}}}}};
}

Result<ToolResult> describe_tables(const Json& arguments, CallHost& host) {
  const std::string wanted = arguments.value("table", "");
  if (!wanted.empty() && table::find_table(wanted) == nullptr) {
    const auto near = nearest_names(wanted, table_names());
    return Error{ErrorKind::not_found, "table.unknown", "There is no table `" + shorten(wanted, 60) + "`.",
                 near.empty() ? "Without `table` all of them are listed." : "Did you mean `" + near.front() + "`?",
                 "/table"};
  }
  const uint32_t rank = arguments["ranks"][0].get<uint32_t>();
  ToolResult result;
  result.has_rows = true;
  for (const table::TableDecl* decl : table::kAllTables) {
    if (!wanted.empty() && wanted != decl->name) continue;
    SW_ASSIGN_OR_RETURN(const sw_table* rows, host.table(rank, decl->name));
    const auto group = ingest::group_of(host.profile()->layout.kind, decl->name);
    Json row = {{"table", decl->name}, {"group", store::group_name(group)}, {"says", decl->says}};
    row["rows"] = rows == nullptr ? Json() : Json(rows->rows);  // null: no file of this profile fills it
    if (rows != nullptr && rows->source_file.len != 0) row["source_file"] = text(rows->source_file);
    if (!wanted.empty()) {
      row["sorted_by"] = decl->sorted_by;
      result.body["columns"] = columns_of(*decl);
    }
    result.rows.push_back(std::move(row));
  }
  result.total_rows = result.rows.size();
  return result;
}

}  // namespace stepwise::engine
