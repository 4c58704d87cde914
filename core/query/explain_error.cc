#include "core/query/explain_error.h"

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/characters.h"
#include "core/base/text.h"
#include "core/query/virtual_table.h"

namespace stepwise::query {
namespace {

constexpr size_t kExcerptBytes = 40;  // on either side of the place

/// What follows the words in SQLite's message; nullopt: it does not begin with them.
std::optional<std::string> after(const std::string& message, std::string_view words) {
  if (message.rfind(words, 0) != 0) return std::nullopt;
  return message.substr(words.size());
}

std::string_view without_unit(std::string_view name) {
  for (const std::string_view unit : {"_ns", "_us", "_bytes", "_ratio"}) {
    if (name.ends_with(unit)) return name.substr(0, name.size() - unit.size());
  }
  return name;
}

/// What the written name goes on from: `duration` from dur_ns, `memory_record` from memory. The longest ones.
std::vector<std::string> beginnings_of(const std::string& written, const std::vector<std::string>& known) {
  constexpr size_t kLeastLength = 3;
  size_t longest = kLeastLength;
  std::vector<std::string> names;
  for (const std::string& name : known) {
    const std::string_view start = without_unit(name);
    if (start.size() < longest || !iequals(written.substr(0, start.size()), start)) continue;
    if (start.size() > longest) names.clear();
    longest = start.size();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string did_you_mean(const std::string& written, const std::vector<std::string>& known) {
  std::string out;
  std::vector<std::string> near = nearest_names(written, known);
  if (near.empty()) near = beginnings_of(written, known);
  for (const std::string& name : near) out += (out.empty() ? "`" : ", `") + name + "`";
  return out.empty() ? "" : "Did you mean " + out + "? ";
}

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const View& view : all_views()) names.emplace_back(view.decl->name);
  return names;
}

/// Tables whose names stand in the text: those that the query is about.
std::vector<const View*> mentioned(const std::string& sql) {
  std::vector<const View*> views;
  for (size_t at = 0; at < sql.size();) {
    const size_t from = at;
    while (at < sql.size() && is_word(sql[at])) ++at;
    const std::string_view word = std::string_view(sql).substr(from, at - from);
    for (const View& view : all_views()) {
      if (iequals(word, view.decl->name) && std::find(views.begin(), views.end(), &view) == views.end()) {
        views.push_back(&view);
      }
    }
    at += at == from ? 1 : 0;
  }
  return views;
}

Error unknown_table(const std::string& written, const TableSource& source) {
  const std::string instead = source.instead_of(written);
  return {ErrorKind::not_found, "query.table", "There is no table `" + shorten(written, 60) + "`.",
          (instead.empty() ? did_you_mean(written, table_names()) : instead) + "describe_tables lists the tables.",
          "/sql"};
}

Error unknown_column(const std::string& written, const std::string& sql) {
  const std::string name = written.substr(written.rfind('.') + 1);
  std::vector<std::string> known;
  std::string tables, elsewhere;
  const auto views = mentioned(sql);
  for (const View* view : views) {
    tables += (tables.empty() ? "" : ", ") + std::string(view->decl->name);
    for (const ViewColumn& column : view->columns) known.emplace_back(column.name);
  }
  for (const View& view : all_views()) {
    const bool has = std::any_of(view.columns.begin(), view.columns.end(),
                                 [&](const ViewColumn& column) { return iequals(column.name, name); });
    if (has && elsewhere.empty()) elsewhere = "Table `" + std::string(view.decl->name) + "` has one. ";
  }
  std::string hint = did_you_mean(name, known);
  if (hint.empty()) hint = elsewhere;
  if (sql.find('"' + name + '"') != std::string::npos) hint += "Texts stand in single quotes: '" + name + "'. ";
  hint += "describe_tables {\"table\": \"" + std::string(views.empty() ? "kernel" : views.front()->decl->name) +
          "\"} lists columns.";
  return {ErrorKind::not_found, "query.column",
          "There is no column `" + shorten(written, 60) + "`" + (tables.empty() ? "." : " in " + tables + "."), hint,
          "/sql"};
}

std::string place(const Failure& failure) {
  const int offset = sqlite3_error_offset(failure.connection);
  const std::string& sql = failure.sql;
  if (offset < 0 || static_cast<size_t>(offset) > sql.size()) return "";
  const auto at = static_cast<size_t>(offset);
  const size_t from = at > kExcerptBytes ? at - kExcerptBytes : 0;
  std::string excerpt = (from > 0 ? "..." : "") + sql.substr(from, at - from) + ">>> " + sql.substr(at, kExcerptBytes) +
                        (at + kExcerptBytes < sql.size() ? "..." : "");
  std::replace_if(
      excerpt.begin(), excerpt.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return " At character " + std::to_string(at + 1) + ": " + to_valid_utf8(excerpt);
}

Error refused(const Refusal& refusal, const TableSource& source) {
  switch (refusal.kind) {
    case Refusal::Kind::table:
      if (iequals(refusal.name.substr(0, 7), "sqlite_")) {
        return {ErrorKind::not_found, "query.table", "SQLite's own tables say nothing of a profile.",
                "describe_tables lists the tables and their columns.", "/sql"};
      }
      return unknown_table(refusal.name, source);
    case Refusal::Kind::function:
      return {ErrorKind::usage, "query.read_only", "The function `" + refusal.name + "` is not allowed.",
              "Queries read tables and compute; nothing else.", "/sql"};
    default:
      return read_only();
  }
}

}  // namespace

Error read_only() {
  return {ErrorKind::usage, "query.read_only",
          "A profile's tables are read-only: only SELECT (or WITH ... SELECT) runs.",
          "Use WITH name AS (SELECT ...) instead of temporary tables and views.", "/sql"};
}

Error explain_error(const Failure& failure) {
  const std::string message = to_valid_utf8(sqlite3_errmsg(failure.connection));
  // Tables that SQLite brings along and that nobody declared here before reading alone was allowed.
  if (const auto name = after(message, "vtable constructor failed: ")) return unknown_table(*name, failure.source);
  if (failure.refusal.kind != Refusal::Kind::none) return refused(failure.refusal, failure.source);
  if (message.find("may not be") != std::string::npos) return read_only();  // modified, altered, dropped
  if (const auto name = after(message, "no such table: "))
    return unknown_table(name->substr(name->rfind('.') + 1), failure.source);
  if (const auto name = after(message, "no such column: ")) return unknown_column(*name, failure.sql);
  if (const auto name = after(message, "no such function: ")) {
    return {ErrorKind::not_found, "query.function", "There is no function `" + shorten(*name, 60) + "`.",
            "Functions are SQLite's: sum, avg, count, group_concat, round, substr, instr, iif, row_number() OVER...",
            "/sql"};
  }
  if (const auto name = after(message, "ambiguous column name: ")) {
    return {ErrorKind::usage, "query.ambiguous", "Several tables of the query have the column `" + *name + "`.",
            "Write it with its table's name or alias, as k.name.", "/sql"};
  }
  if (failure.code == SQLITE_TOOBIG) {
    return {ErrorKind::limit, "query.value",
            "A value would be longer than " + human_bytes(limits::kMaxValueBytes) + ".",
            "Show less of it: substr(...), fewer rows in group_concat.", "/sql"};
  }
  if (message.find("syntax error") != std::string::npos || message.find("incomplete input") != std::string::npos ||
      message.find("unrecognized token") != std::string::npos) {
    return {ErrorKind::usage, "query.syntax", "The SQL does not parse: " + message + "." + place(failure),
            "The dialect is SQLite's.", "/sql"};
  }
  return {ErrorKind::usage, "query.failed", "SQLite refuses the query: " + message + "." + place(failure),
          "The dialect is SQLite's.", "/sql"};
}

Error stopped_error(const Budget& budget) {
  const std::string narrow =
      "Narrow it: rank = N, a range of start_ns, or a text column = '...' is found without looking at every row; join "
      "on "
      "ids; group before joining.";
  switch (budget.why()) {
    case Stop::rows:
      return {ErrorKind::limit, "query.rows",
              "The query was stopped: it looked at more than " + std::to_string(budget.limits().row_steps) + " rows.",
              narrow, "/sql"};
    case Stop::time:
      return {ErrorKind::deadline, "query.time",
              "The query was stopped: it took more than " + std::to_string(budget.limits().time.count()) +
                  " ms of the processor.",
              narrow, "/sql"};
    case Stop::wall_time:
      return {ErrorKind::deadline, "query.wall_time",
              "The query was stopped: it took longer than " + std::to_string(budget.limits().wall_time.count()) +
                  " ms, most of which it waited for the machine.",
              "The machine is busy: ask again. " + narrow, "/sql"};
    case Stop::cancelled:
      return {ErrorKind::cancelled, "call.cancelled", "The call was cancelled.", "", ""};
    default:
      return {ErrorKind::limit, "query.memory",
              "The query was stopped: it needs more than " + human_bytes(budget.limits().memory_bytes) + " of memory.",
              "Sort or group fewer rows and columns; filter first.", "/sql"};
  }
}

}  // namespace stepwise::query
