#include "protocol/mcp/own_profile.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/engine/report_chapters.h"
#include "protocol/mcp/own_limits.h"
#include "stepwise/tables.hpp"

namespace stepwise::mcp {
namespace {

using Contents = std::vector<ResourceContents>;

constexpr const char* kPlain = "text/plain";
constexpr const char* kJson = "application/json";
constexpr const char* kMarkdown = "text/markdown";

/// A failure of the tool as one of the resource: what it does not find is no resource.
Error resource_error(const std::string& uri, Error error) {
  if (error.kind != ErrorKind::not_found) return error;
  return {ErrorKind::not_found, "resource.unknown", std::move(error.message), std::move(error.hint), uri};
}

engine::Request request_for(std::string tool, Json arguments) {
  engine::Request request;
  request.tool = std::move(tool);
  request.arguments = std::move(arguments);
  request.answer_running = false;  // "still running" is nothing to read, and clients keep what they have read
  return request;
}

ByTool<Contents> text_of_answer(const std::string& uri, std::string tool, Json arguments) {
  return {request_for(std::move(tool), std::move(arguments)), [uri](engine::Answer answer) -> Result<Contents> {
            if (answer.error) return resource_error(uri, std::move(*answer.error));
            return Contents{{uri, kPlain, std::move(answer.text)}};
          }};
}

std::string rows_of(const std::string& table) {
  return "SELECT * FROM \"" + table + "\" LIMIT " + std::to_string(kTableRowsAsked);
}

constexpr size_t kRoomForMore = 300;  // for what says how to go on

/// The first rows, as many whole ones as there is room for, and how to get at the others.
std::string table_page(const std::string& profile, const std::string& table, const Json& answer) {
  const Json none = Json::array();
  Json page = {{"table", table}, {"columns", answer.value("columns", none)}, {"rows", none}};
  const Json rows = answer.value("rows", none);
  size_t size = dump_json(page).size();
  for (const Json& row : rows) {
    size += dump_json(row).size() + 1;
    if (size > kResourceTextChars - kRoomForMore) break;
    page["rows"].push_back(row);
  }
  const size_t shown = page["rows"].size();
  if (shown < rows.size() || rows.size() == kTableRowsAsked) {
    page["more"] = {
        {"says", "These are the first " + std::to_string(shown) + " rows; query_sql answers from all."},
        {"tool", "query_sql"},
        {"arguments", {{"profile", profile}, {"sql", rows_of(table) + " OFFSET " + std::to_string(shown)}}}};
  }
  return dump_json(page);
}

CatalogAnswer<Contents> read_table(const std::string& uri, const std::string& profile, const std::string& table) {
  const std::vector<std::string> known = table_names();
  if (std::find(known.begin(), known.end(), table) == known.end()) {
    std::vector<std::string> near = nearest_names(table, known);
    for (std::string& one : near) one = "profile://" + profile + "/tables/" + one;
    return unknown_resource(uri, "There is no table " + table + ".", std::move(near));
  }
  return ByTool<Contents>{
      request_for("query_sql", {{"profile", profile}, {"sql", rows_of(table)}, {"limit", kTableRowsAsked}}),
      [uri, profile, table](engine::Answer answer) -> Result<Contents> {
        if (answer.error) return resource_error(uri, std::move(*answer.error));
        return Contents{{uri, kJson, table_page(profile, table, answer.structured)}};
      }};
}

CatalogAnswer<Contents> read_chapter(const std::string& uri, const std::string& profile, const std::string& chapter) {
  const auto number = to_integer(chapter);
  if (!number || *number < 1 || *number > 99) {
    return unknown_resource(uri, "A report's chapters go by their numbers.", {"profile://" + profile + "/report"});
  }
  return ByTool<Contents>{
      request_for("read_report", {{"profile", profile}, {"chapter", *number}, {"bytes", engine::kMostChapterBytes}}),
      [uri, profile](engine::Answer answer) -> Result<Contents> {
        if (answer.error && answer.error->code == "report.chapter") {
          return unknown_resource(uri, answer.error->message, {"profile://" + profile + "/report"});
        }
        if (answer.error) return resource_error(uri, std::move(*answer.error));
        return Contents{{uri, kMarkdown, answer.structured.value("markdown", "")}};
      }};
}

CatalogAnswer<Contents> read_operator(const std::string& uri, const std::string& profile, const std::string& op_type) {
  const std::string sql =
      "SELECT rank, input_shapes, count(*) AS count, sum(dur_ns) / 1e3 AS total_us, avg(dur_ns) / 1e3 AS avg_us, "
      "max(dur_ns) / 1e3 AS max_us FROM kernel WHERE coalesce(op_type, name) = " +
      sql_text(op_type) + " GROUP BY rank, input_shapes ORDER BY total_us DESC, rank, input_shapes";
  return ByTool<Contents>{request_for("query_sql", {{"profile", profile}, {"sql", sql}}),
                          [uri, profile, op_type](engine::Answer answer) -> Result<Contents> {
                            if (answer.error) return resource_error(uri, std::move(*answer.error));
                            if (answer.structured.value("rows", Json::array()).empty()) {
                              return unknown_resource(
                                  uri,
                                  "The profile has no operator of the type, and no kernel of the name " + op_type + ".",
                                  {"profile://" + profile + "/analyses/top_operators"});
                            }
                            return Contents{{uri, kPlain, std::move(answer.text)}};
                          }};
}

CatalogAnswer<Contents> read_analysis(const std::string& uri, const std::string& profile, const std::string& analysis,
                                      const engine::Registry& registry) {
  const std::vector<std::string> known = analyses_to_read(registry);
  if (std::find(known.begin(), known.end(), analysis) != known.end()) {
    return text_of_answer(uri, analysis, {{"profile", profile}});
  }
  std::vector<std::string> near = nearest_names(analysis, known);
  for (std::string& one : near) one = "profile://" + profile + "/analyses/" + one;
  return unknown_resource(uri, "No analysis " + analysis + " can be read without arguments.", std::move(near));
}

}  // namespace

bool is_profile_id(std::string_view text) {
  constexpr size_t kDigits = 8;
  return text.size() == 1 + kDigits && text[0] == 'p' &&
         text.substr(1).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<ResourceTemplate> profile_templates() {
  return {
      {"profile://{id}/advice", "profile-advice", "Advice for a profile",
       "Ranked, each parameter verified for the run; what advise answers.", kPlain},
      {"profile://{id}/analyses/{analysis}", "profile-analysis", "An analysis of a profile",
       "What the analysis answers without more arguments.", kPlain},
      {"profile://{id}/operators/{op_type}", "profile-operator", "An operator type of a profile",
       "Executions and device time of one operator type (on GPUs a kernel's name), by rank and input shapes.", kPlain},
      {"profile://{id}/report", "profile-report", "The report of a profile", "The chapters of the report.", kPlain},
      {"profile://{id}/report/{chapter}", "profile-report-chapter", "A chapter of a profile's report",
       "By its number; what write_report writes.", kMarkdown},
      {"profile://{id}/summary", "profile-summary", "Summary of a profile",
       "Scenario, execution mode, iterations and where a step's time goes; what summarize_profile answers.", kPlain},
      {"profile://{id}/tables", "profile-tables", "Tables of a profile",
       "The tables that the profile's files fill, with row counts.", kPlain},
      {"profile://{id}/tables/{table}", "profile-table", "A table of a profile",
       "Its first rows, with columns; query_sql answers from all of them.", kJson},
  };
}

CatalogAnswer<Contents> read_profile(const std::string& uri, const Address& address, const engine::Registry& registry) {
  const auto& segments = address.segments;
  const std::string& profile = segments[0];
  const std::string kind = segments.size() > 1 ? segments[1] : "";
  if (!is_profile_id(profile)) {
    return unknown_resource(uri, "A profile's resources go by its id, p and eight hex digits, as open_profile says it.",
                            {});
  }
  if (segments.size() == 2) {
    if (kind == "summary") return text_of_answer(uri, "summarize_profile", {{"profile", profile}});
    if (kind == "advice") return text_of_answer(uri, "advise", {{"profile", profile}});
    if (kind == "report") return text_of_answer(uri, "read_report", {{"profile", profile}});
    if (kind == "tables") return text_of_answer(uri, "describe_tables", {{"profile", profile}});
  }
  if (segments.size() == 3) {
    if (kind == "tables") return read_table(uri, profile, segments[2]);
    if (kind == "report") return read_chapter(uri, profile, segments[2]);
    if (kind == "operators") return read_operator(uri, profile, segments[2]);
    if (kind == "analyses") return read_analysis(uri, profile, segments[2], registry);
  }
  std::vector<std::string> near;
  for (const char* one : {"advice", "report", "summary", "tables"}) near.push_back("profile://" + profile + "/" + one);
  return unknown_resource(uri, "A profile has no such resource.", std::move(near));
}

std::vector<std::string> analyses_to_read(const engine::Registry& registry) {
  constexpr std::string_view kAsksForADraft = "validate_advice";  // one of two arguments, which its schema cannot say
  std::vector<std::string> names;
  for (const auto& [name, tool] : registry.tools()) {
    const engine::ToolDecl& decl = tool.decl;
    const bool asks_for_more = name == kAsksForADraft || !decl.input.value("required", Json::array()).empty();
    if (decl.needs_profile && !decl.opens_profile && decl.pure && !asks_for_more) names.push_back(name);
  }
  return names;
}

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const table::TableDecl* decl : table::kAllTables) names.emplace_back(decl->name);
  return names;
}

Error unknown_resource(const std::string& uri, const std::string& what, std::vector<std::string> nearest) {
  const std::string hint = nearest.empty() ? "resources/list and resources/templates/list say what there is."
                                           : "Nearest: " + joined(nearest) + ".";
  return {ErrorKind::not_found, "resource.unknown", shorten(what, kShownChars), hint, shorten(uri, kShownChars)};
}

std::string sql_text(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

}  // namespace stepwise::mcp
