#include "core/engine/render.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/engine/text_table.h"

namespace stepwise::engine {
namespace {

std::string call_print(const CallPlan& plan) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", static_cast<uint32_t>(hash64(plan.key)));
  return text;
}

/// A cursor is the row to go on with and the call it belongs to.
Result<size_t> first_row(const CallPlan& plan) {
  const std::string& cursor = plan.host.cursor;
  if (cursor.empty()) return size_t{0};
  const size_t dot = cursor.find('.');
  const auto row = to_integer(std::string_view(cursor).substr(0, dot));
  if (dot == std::string::npos || !row || *row < 0 || cursor.substr(dot + 1) != call_print(plan)) {
    return Error{ErrorKind::usage, "args.cursor", "The cursor is not one of this call with these arguments.",
                 "Call again without `cursor`.", "/cursor"};
  }
  return static_cast<size_t>(*row);
}

/// Sums of the additive columns of every row that is not on the page, so that page + other = total.
Json other_rows(const ToolDecl& tool, const ToolResult& result, size_t from, size_t to) {
  const uint64_t left = result.total_rows - (to - from);
  if (left == 0 || tool.view.additive.empty()) return nullptr;
  Json other = {{"rows", left}};
  for (const std::string& column : tool.view.additive) {
    bool whole = true;
    long double sum = 0;  // integers of us in a double would round at each step
    const auto add = [&](const Json& row) {
      const auto it = row.find(column);
      if (it == row.end() || !it->is_number()) return;
      whole = whole && it->is_number_integer();
      sum += it->get<double>();
    };
    for (size_t i = 0; i < result.rows.size(); ++i) {
      if (i < from || i >= to) add(result.rows[i]);
    }
    if (result.other.is_object()) add(result.other);
    // Times are whole ns: a sum of us is exact to the third decimal, and is given so.
    const double rounded = static_cast<double>(std::round(sum * 1000) / 1000);
    const bool is_time = column.size() > 3 && column.compare(column.size() - 3, 3, "_us") == 0;
    other[column] = whole ? Json(static_cast<int64_t>(sum)) : Json(is_time ? rounded : static_cast<double>(sum));
  }
  return other;
}

std::string text_of(const CallPlan& plan, const ToolResult& result, const Json& structured, bool cap_text) {
  const ToolDecl& tool = plan.tool->decl;
  const size_t max_chars =
      (cap_text ? limits::kTextTokensDefault : limits::kTextTokensHard * 100) * limits::kCharsPerToken;
  std::string head = tool.name + ": " + to_string(result.status);
  if (structured.contains("profile")) head += ", profile " + structured["profile"].get<std::string>();
  if (structured.contains("rank")) head += ", rank " + to_cell(structured["rank"]);
  head += "\n";

  Json body = result.body;
  body.erase("metrics");  // the same figures under other names
  head += text_lines(body);

  std::string tail;
  for (const Missing& one : result.missing) tail += "missing: " + one.input + " (" + one.costs + ")\n";
  for (const Warning& one : result.warnings) tail += "warning: " + one.text + "\n";
  size_t told = 0;
  for (const Evidence& one : result.evidence) {
    if (++told > 6) break;
    tail += "evidence: " + one.file + (one.row != 0 ? ":" + std::to_string(one.row) : "") + " " + one.says + "\n";
  }
  for (const Next& one : result.next)
    tail += "next: " + one.tool + " " + dump_json(one.arguments) + " - " + one.why + "\n";

  std::string table;
  if (result.has_rows) {
    std::vector<Json> rows = structured["rows"].get<std::vector<Json>>();
    const size_t room = max_chars > head.size() + tail.size() + 400 ? max_chars - head.size() - tail.size() - 400 : 400;
    size_t shown = 0;
    table = text_table(tool.view.columns, rows, room, shown);
    if (shown < rows.size())
      table += "(" + std::to_string(rows.size() - shown) + " more rows in this page; pass a smaller `limit`)\n";
    if (structured.contains("other")) table += "other: " + to_cell(structured["other"]) + "\n";
    table += std::to_string(result.total_rows) + " rows in all";
    if (structured.contains("next_cursor"))
      table += "; the next page: cursor " + structured["next_cursor"].get<std::string>();
    table += "\n";
  }
  std::string text = head + table + tail;
  if (text.size() > max_chars) text = shorten(text, max_chars - 80) + "\n(cut; the structured result is whole)\n";
  return text;
}

}  // namespace

Result<Page> render(const CallPlan& plan, const ToolResult& result, bool cap_text) {
  SW_ASSIGN_OR_RETURN(const size_t asked, first_row(plan));
  ToolResult page = result;
  const size_t from = std::min(asked, result.rows.size());
  const size_t to = std::min(from + static_cast<size_t>(plan.host.limit), result.rows.size());
  page.rows.assign(result.rows.begin() + static_cast<std::ptrdiff_t>(from),
                   result.rows.begin() + static_cast<std::ptrdiff_t>(to));
  if (result.has_rows) page.other = other_rows(plan.tool->decl, result, from, to);

  Json structured = to_json(page);
  if (plan.profile != nullptr) structured["profile"] = plan.profile->id;
  if (plan.profile != nullptr && plan.tool->decl.per_rank && !plan.tool->decl.opens_profile)
    structured["rank"] = plan.ranks.front();
  if (to < result.rows.size()) structured["next_cursor"] = std::to_string(to) + "." + call_print(plan);
  std::string text = text_of(plan, page, structured, cap_text);
  return Page{std::move(structured), std::move(text)};
}

Page render_running(const CallPlan* plan, double done_ratio, const char* phase) {
  Page page;
  const int64_t retry_ms = 2000;
  page.structured = {{"status", to_string(Status::running)}, {"done_ratio", done_ratio}, {"retry_after_ms", retry_ms}};
  if (plan != nullptr && plan->profile != nullptr) page.structured["profile"] = plan->profile->id;
  page.text = std::string("Still ") + (*phase == '\0' ? "working" : phase) + ", " + three_digits(done_ratio * 100) +
              " % done. Make the same call again: it joins the work.\n";
  return page;
}

}  // namespace stepwise::engine
