#include "core/engine/render.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/engine/evidence_place.h"
#include "core/engine/page_fit.h"
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

/// Rows as objects, which is what the text table takes.
std::vector<Json> as_objects(const std::vector<std::string>& columns, std::span<const Json> rows) {
  std::vector<Json> objects;
  for (const Json& row : rows) {
    Json object = Json::object();
    for (size_t i = 0; i < columns.size(); ++i) object[columns[i]] = row[i];
    objects.push_back(std::move(object));
  }
  return objects;
}

/// Whole pieces while there is room, the first one in any case; `shown`: how many.
std::string joined(std::span<const std::string> pieces, size_t room, size_t& shown) {
  std::string out;
  for (shown = 0; shown < pieces.size(); ++shown) {
    if (shown > 0 && out.size() + pieces[shown].size() > room) break;
    out += pieces[shown];
  }
  return out;
}

/// The rows of a result that a page shows.
struct Slice {
  size_t from = 0, to = 0;
  size_t count() const { return to - from; }
};

std::span<const Json> rows_in(const ToolResult& result, Slice slice) {
  return std::span(result.rows).subspan(slice.from, slice.count());
}

/// Those, as far as there is room; `shown`: how many.
std::string rows_text(const CallPlan& plan, const ToolResult& result, Slice slice, size_t room, size_t& shown) {
  if (!result.pieces.empty()) {
    return joined(std::span(result.pieces).subspan(slice.from, slice.count()), room, shown);
  }
  const auto rows = rows_in(result, slice);
  if (!result.columns.empty()) return text_table(result.columns, as_objects(result.columns, rows), room, shown);
  return text_table(plan.tool->decl.view.columns, {rows.begin(), rows.end()}, room, shown);
}

std::string tail_text(const ToolResult& result, std::span<const Next> next) {
  std::string tail;
  for (const Missing& one : result.missing) tail += "missing: " + one.input + " (" + one.costs + ")\n";
  for (const Warning& one : result.warnings) tail += "warning: " + one.text + "\n";
  size_t told = 0;
  for (const Evidence& one : result.evidence) {
    if (++told > 6) break;
    const char* unit = counts_bytes(one.file) ? " at byte " : " row ";
    tail += "evidence: " + one.file + (one.row != 0 ? unit + std::to_string(one.row) : "") + ": " + one.says + "\n";
  }
  for (const Next& one : next) tail += "next: " + one.tool + " " + dump_json(one.arguments) + " - " + one.why + "\n";
  return tail;
}

/// `shown`: how many of the slice's rows there was room for.
std::string text_of(const CallPlan& plan, const ToolResult& result, const Json& structured, Slice slice,
                    std::span<const Next> next, size_t max_chars, size_t& shown) {
  const ToolDecl& tool = plan.tool->decl;
  std::string head = tool.name + ": " + to_string(result.status);
  if (structured.contains("profile")) head += ", profile " + structured["profile"].get<std::string>();
  if (structured.contains("rank")) head += ", rank " + to_cell(structured["rank"]);
  head += "\n";

  Json body = result.body;
  body.erase("metrics");  // the same figures under other names
  head += result.text.empty() ? text_lines(body, tool.output) : result.text;
  const std::string tail = tail_text(result, next);

  std::string table;
  const size_t room = max_chars > head.size() + tail.size() + 400 ? max_chars - head.size() - tail.size() - 400 : 400;
  if (!result.has_rows) {
    table = joined(result.pieces, room, shown);
    if (const size_t left = result.pieces.size() - shown; left > 0) {
      table += "(" + std::to_string(left) + " more: the structured result has them all, or pass less at once)\n";
    }
  } else {
    table = rows_text(plan, result, slice, room, shown);
    if (structured.contains("other")) table += "other: " + to_cell(structured["other"]) + "\n";
    table += (result.more_rows ? "more than " : "") + std::to_string(result.total_rows) + " rows in all";
    if (structured.contains("next_cursor"))
      table += "; the next page: cursor " + structured["next_cursor"].get<std::string>();
    table += "\n";
  }
  std::string text = head + table + tail;
  if (text.size() > max_chars) text = shorten(text, max_chars - 80) + "\n(cut; the structured result has more)\n";
  return text;
}

// A suggestion that quotes a long argument is not worth the room: whoever wrote the argument has it.
constexpr size_t kMaxNextChars = 2'000;

bool takes(const ToolDecl& tool, const char* argument) {
  const auto properties = tool.input.find("properties");
  return properties != tool.input.end() && properties->contains(argument);
}

/// The suggestions as calls that are about the same profile and rank, whatever else is open.
std::vector<Next> whole_calls(const CallPlan& plan, const std::vector<Next>& suggested, Reader reader) {
  std::vector<Next> calls;
  for (Next next : suggested) {
    if (dump_json(next.arguments).size() > kMaxNextChars) continue;
    const RegisteredTool* found = plan.registry == nullptr ? nullptr : plan.registry->find(next.tool);
    if (found != nullptr && plan.profile != nullptr) {
      const ToolDecl& tool = found->decl;
      const bool other_rank = plan.tool->decl.per_rank && !plan.tool->decl.opens_profile &&
                              plan.ranks.front() != plan.profile->lowest_rank();
      if (other_rank && tool.per_rank && takes(tool, "rank") && !next.arguments.contains("rank")) {
        next.arguments["rank"] = plan.ranks.front();
      }
      const bool wraps = reader == Reader::client && !tool.core && tool.needs_profile;
      if (wraps) {
        Json arguments = std::exchange(next.arguments, Json::object());
        arguments.erase("profile");
        next.arguments["analysis"] = std::exchange(next.tool, "run_analysis");
        if (!arguments.empty()) next.arguments["arguments"] = std::move(arguments);
      }
      if ((wraps || takes(tool, "profile")) && !next.arguments.contains("profile")) {
        next.arguments["profile"] = plan.profile->id;
      }
    }
    calls.push_back(std::move(next));
  }
  return calls;
}

/// How much a page may hold, in characters, of text and of structure each.
size_t room_of(const CallPlan& plan, Reader reader) {
  if (reader == Reader::program) return limits::kTextTokensHard * 100 * limits::kCharsPerToken;
  const bool asks_for_more = plan.host.limit > plan.tool->decl.default_limit;
  return (asks_for_more ? limits::kTextTokensHard : limits::kTextTokensDefault) * limits::kCharsPerToken;
}

/// The envelope around those rows; `other`: the sums of those that it leaves out.
Json envelope(const CallPlan& plan, const ToolResult& result, Slice slice, const Json& other,
              std::span<const Next> next) {
  Json structured = to_json(result, rows_in(result, slice), other);
  structured.erase("next");
  if (!next.empty()) structured["next"] = to_json(next);
  if (plan.profile != nullptr) structured["profile"] = plan.profile->id;
  if (plan.profile != nullptr && plan.tool->decl.per_rank && !plan.tool->decl.opens_profile)
    structured["rank"] = plan.ranks.front();
  if (slice.to < result.rows.size()) structured["next_cursor"] = std::to_string(slice.to) + "." + call_print(plan);
  return structured;
}

}  // namespace

Result<Page> render(const CallPlan& plan, const ToolResult& result, Reader reader) {
  SW_ASSIGN_OR_RETURN(const size_t asked, first_row(plan));
  const size_t from = std::min(asked, result.rows.size());
  Slice slice{from, std::min(from + static_cast<size_t>(plan.host.limit), result.rows.size())};
  const std::vector<Next> next = whole_calls(plan, result.next, reader);
  const size_t room = room_of(plan, reader);
  if (reader == Reader::client && slice.count() > 0) {
    constexpr size_t kOtherChars = 300;  // a row of sums
    const size_t rest = json_chars(envelope(plan, result, {from, from}, nullptr, next)) + kOtherChars;
    slice.to = from + rows_that_fit(rows_in(result, slice), std::max(room / 4, room - std::min(room, rest)));
  }
  Page page;
  // A row that the text has no room for goes to the next page, also in the structure: nobody reads both.
  for (size_t shown = 0;; slice.to = from + shown) {
    const Json other = result.has_rows ? other_rows(plan.tool->decl, result, slice.from, slice.to) : result.other;
    page.structured = envelope(plan, result, slice, other, next);
    page.text = text_of(plan, result, page.structured, slice, next, room, shown);
    if (reader == Reader::program || !result.has_rows || shown == 0 || shown >= slice.count()) break;
  }
  if (reader == Reader::client) cut_to_fit(page.structured, limits::kTextTokensHard * limits::kCharsPerToken);
  return page;
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
