#include "core/query/view.h"

namespace stepwise::query {
namespace {

const char* sql_type(table::Type type) {
  if (type == table::Type::f64) return "REAL";
  return type == table::Type::code ? "TEXT" : "INTEGER";
}

}  // namespace

View make_view(const table::TableDecl& decl) {
  using table::Type;
  using table::Unit;
  View view;
  view.decl = &decl;
  view.columns.push_back({"id", Type::i64, Unit::none, Role::id, false, "row number, from 0, in the rank's table"});
  view.columns.push_back({"rank", Type::i64, Unit::none, Role::rank, false, "whose row it is"});
  for (size_t i = 0; i < decl.columns.size(); ++i) {
    const table::ColumnDecl& column = decl.columns[i];
    if (!column.nullable && column.type == Type::i64 && column.name == std::string_view(decl.sorted_by)) {
      view.sorted = view.columns.size();
    }
    view.columns.push_back({column.name, column.type, column.unit, Role::declared, column.nullable, column.says, i});
  }
  view.columns.push_back(
      {"src_file", Type::code, Unit::none, Role::src_file, true, "the file that the rank's table was read from"});
  if (decl.name == std::string_view("kernel")) {
    view.columns.push_back({"host_op_id", Type::i64, Unit::none, Role::host_op_id, true,
                            "row in host_op of the operator that launched it; null without a timeline"});
  }
  if (decl.name == kDiagnosticTable) {
    view.columns.push_back({"segment", Type::code, Unit::none, Role::segment, true,
                            "what was being read of the rank: files, trace (the timeline), graph, cluster"});
  }
  return view;
}

std::string create_statement(const View& view) {
  std::string out = "CREATE TABLE x(";
  for (const ViewColumn& column : view.columns) {
    if (out.back() != '(') out += ", ";
    out += '"' + std::string(column.name) + "\" " + sql_type(column.type);
  }
  return out + ")";
}

}  // namespace stepwise::query
