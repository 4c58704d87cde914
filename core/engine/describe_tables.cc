#include "core/engine/describe_tables.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/engine/all_diagnostics.h"
#include "core/engine/open_profile.h"
#include "core/ingest/discovery/layout.h"
#include "core/query/view.h"
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

/// As query_sql shows them.
Json columns_of(const table::TableDecl& decl) {
  Json columns = Json::array();
  const query::View view = query::make_view(decl);
  for (const query::ViewColumn& column : view.columns) {
    columns.push_back({{"column", column.name},
                       {"type", type_name(column.type)},
                       {"unit", unit_name(column.unit)},
                       {"nullable", column.nullable},
                       {"says", column.says}});
  }
  return columns;
}

/// One line a column, none left out: who reads the text alone writes SQL from it.
std::string text_of(const Json& columns) {
  std::string out = "columns:\n";
  for (const Json& column : columns) {
    const std::string unit = column["unit"];
    out += "  " + column["column"].get<std::string>() + " " + column["type"].get<std::string>() +
           (unit.empty() ? "" : ", " + unit) + (column["nullable"] == true ? ", or null" : "") + ": " +
           column["says"].get<std::string>() + "\n";
  }
  return out;
}

/// What the table tells stands whole; one that nothing fills is only named.
std::string line_of(const Json& row) {
  const std::string name = row["table"];
  if (row["rows"].is_null()) return name + ": no file fills it\n";
  if (row["rows"] == 0) return name + ": no rows\n";
  const std::string file = row.value("source_file", "");
  return name + ": " + std::to_string(row["rows"].get<uint64_t>()) + " rows" +
         (file.empty() ? "" : " of " + file.substr(file.rfind('/') + 1)) + "; " + row["says"].get<std::string>() + "\n";
}

bool has_rows(const Json& row) { return !row["rows"].is_null() && row["rows"] != 0; }

std::string_view text(sw_str view) { return {view.ptr, view.len}; }

/// The rank's table as query_sql shows it; what it points to lives as long as the call and `diagnostics`.
Result<const sw_table*> table_of_rank(CallHost& host, uint32_t rank, std::string_view name,
                                      std::shared_ptr<const store::Segment>& diagnostics) {
  if (name != query::kDiagnosticTable) return host.table(rank, name);
  SW_ASSIGN_OR_RETURN(diagnostics, all_diagnostics(host, rank));
  if (diagnostics == nullptr) return static_cast<const sw_table*>(nullptr);
  return table_of(*diagnostics);
}

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
    std::shared_ptr<const store::Segment> diagnostics;
    SW_ASSIGN_OR_RETURN(const sw_table* rows, table_of_rank(host, rank, decl->name, diagnostics));
    const auto group = ingest::group_of(host.profile()->layout.kind, decl->name);
    Json row = {{"table", decl->name}, {"group", store::group_name(group)}, {"says", decl->says}};
    row["rows"] = rows == nullptr ? Json() : Json(rows->rows);  // null: no file of this profile fills it
    if (rows != nullptr && rows->source_file.len != 0) row["source_file"] = text(rows->source_file);
    if (!wanted.empty()) {
      row["sorted_by"] = decl->sorted_by;
      result.body["columns"] = columns_of(*decl);
      result.text = text_of(result.body["columns"]);
    }
    result.rows.push_back(std::move(row));
  }
  std::stable_partition(result.rows.begin(), result.rows.end(), has_rows);
  for (const Json& row : result.rows) result.pieces.push_back(line_of(row));
  result.total_rows = result.rows.size();
  if (!wanted.empty()) {
    const std::string sql = "SELECT * FROM " + wanted + " WHERE rank = " + std::to_string(rank) + " LIMIT 5";
    result.next.push_back({"query_sql", {{"sql", sql}}, "see its first rows"});
  }
  return result;
}

}  // namespace stepwise::engine
