#include "core/engine/validate_advice.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/advice/draft/validate.h"
#include "core/advice/gate/gate.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/engine/advice_facts.h"
#include "core/engine/advise.h"
#include "core/engine/advise_text.h"

namespace stepwise::engine {
namespace {

Json item_schema() {
  const Json text = {{"type", "string"}}, texts = {{"type", "array"}, {"items", text}};
  return {{"type", "object"},
          {"required", {"text", "verdict", "rule", "reason", "nearest", "lacks", "rewrite"}},
          {"properties",
           {{"text", text},
            {"verdict", {{"type", "string"}, {"enum", {"accepted", "refused", "downgraded"}}}},
            {"rule", {{"type", "string"}, {"enum", {"", "R1", "R2", "R3", "R4", "R5", "R6"}}}},
            {"reason", text},
            {"nearest", texts},
            {"conditions", texts},
            {"parameters", {{"type", "array"}, {"items", {{"type", "object"}}}}},
            {"lacks", texts},
            {"rewrite", text}}}};
}

/// The draft as it was given: items, or one text.
Result<void> check_draft(const Json& arguments) {
  if (arguments.contains("items") != arguments.contains("markdown")) return {};
  return Error{ErrorKind::usage, "args.draft", "Either `markdown` or `items` holds the draft.",
               "Pass one of them, e.g. {\"markdown\": \"Set TASK_QUEUE_ENABLE=2.\"}.", "/markdown"};
}

/// Items by verdict, over all of them, and figures: right, wrong, and open, which nothing was measured for.
Json counts_of(const Json& checked) {
  int accepted = 0, downgraded = 0, refused = 0, right = 0, wrong = 0, open = 0;
  for (const Json& item : checked["items"]) {
    ++(item["verdict"] == "accepted" ? accepted : item["verdict"] == "refused" ? refused : downgraded);
  }
  for (const Json& figure : checked["figures"]) {
    ++(figure["ok"].is_null() ? open : figure["ok"] == true ? right : wrong);
  }
  return {{"accepted", accepted},   {"downgraded", downgraded}, {"refused", refused},
          {"figures_right", right}, {"figures_wrong", wrong},   {"figures_open", open}};
}

constexpr size_t kDefaultLimit = 20;
struct Room {
  size_t items, figures;  // characters as JSON
};
// By default a draft's check stays within what an answer may be; who asks for more items gets what one answer holds,
// and how to get the others, before the answer is cut.
constexpr Room kDefaultRoom = {5'000, 1'600};
constexpr Room kLargerRoom = {limits::kTextTokensHard * limits::kCharsPerToken * 6 / 10,
                              limits::kTextTokensHard* limits::kCharsPerToken * 3 / 10};

/// Keeps entries that `first` is true of before others, all in their order, without the `skip` that come first so: at
/// most `most`, and within `room` characters as JSON, but one in any case. How many come behind those.
size_t keep(Json& list, size_t skip, size_t most, size_t room, const std::function<bool(const Json&)>& first) {
  std::vector<bool> kept(list.size());
  size_t count = 0, chars = 0, passed = 0;
  for (const bool wanted : {true, false}) {
    for (size_t i = 0; i < list.size() && count < most; ++i) {
      if (first(list[i]) != wanted || passed++ < skip) continue;
      chars += dump_json(list[i]).size();
      if (count > 0 && chars > room) most = count;
      if (count < most) kept[i] = ++count != 0;
    }
  }
  const size_t before = list.size();
  Json shorter = Json::array();
  for (size_t i = 0; i < before; ++i) {
    if (kept[i]) shorter.push_back(std::move(list[i]));
  }
  list = std::move(shorter);
  return before - count - std::min(skip, before - count);
}

/// What was not accepted, and figures that are wrong, stay before the others; at most `limit` of each. `start`: of the
/// items in that order.
void keep_what_fits(Json& checked, size_t start, size_t limit, const Room& room) {
  const auto leave_out = [&](const char* key, const char* told_as, size_t skip, size_t chars, auto first) {
    const size_t left = keep(checked[key], skip, limit, chars, first);
    if (left > 0) checked[told_as] = left;
  };
  leave_out("items", "left_out", start, room.items, [](const Json& item) { return item["verdict"] != "accepted"; });
  leave_out("figures", "figures_left_out", 0, room.figures, [](const Json& figure) { return figure["ok"] != true; });
  if (checked.contains("left_out")) checked["next_start"] = start + checked["items"].size();
}

}  // namespace

Json validate_advice_declaration() {
  return with_measuring_tools(
      {{"name", "validate_advice"},
       {"title", "Check a draft of advice"},
       {"description",
        "Checks advice that you wrote for this profile, in English or Chinese: each parameter against the knowledge "
        "base and "
        "the execution mode, each figure against the profile. Gives a verdict an item, with the reason and a "
        "rewrite that "
        "passes."},
       {"exposure", "core"},
       {"takes_limit", true},
       {"default_limit", kDefaultLimit},
       {"input",
        {{"type", "object"},
         {"additionalProperties", false},
         {"properties",
          {{"markdown",
            {{"type", "string"}, {"maxLength", limits::kMaxDraftBytes}, {"description", "The draft as one text."}}},
           {"items",
            {{"type", "array"},
             {"items", {{"type", "string"}}},
             {"maxItems", limits::kMaxDraftItems},
             {"description", "Or one text an advice."}}},
           {"start",
            {{"type", "integer"},
             {"minimum", 0},
             {"description", "next_start of the answer before, to go on with the items that it left out."}}},
           {"lang",
            {{"type", "string"},
             {"enum", {"en", "zh"}},
             {"description", "Of what rewrites add; left out, each item's own language."}}}}}}},
       {"output",
        {{"type", "object"},
         {"required", {"items", "figures", "counts"}},
         {"properties",
          {{"items", {{"type", "array"}, {"x-role", "data"}, {"items", item_schema()}}},
           {"figures", {{"type", "array"}, {"x-role", "data"}, {"items", {{"type", "object"}}}}},
           {"counts",
            {{"type", "object"},
             {"description", "items by verdict; figures: right, wrong, open (could not be checked)"}}},
           {"left_out", {{"type", "integer"}, {"description", "items there was no room for, accepted ones first"}}},
           {"next_start", {{"type", "integer"}, {"description", "`start` of the call that gives the next of them"}}},
           {"figures_left_out", {{"type", "integer"}, {"description", "the same of figures, right ones first"}}}}}}}});
}

Result<ToolResult> validate_advice(const advice::RuleBook& book,
                                   const std::shared_ptr<const advice::Knowledge>& knowledge, const Json& arguments,
                                   CallHost& host) {
  SW_RETURN_IF_ERROR(check_draft(arguments));
  SW_ASSIGN_OR_RETURN(AdviceFacts facts, gather_facts(host, arguments["ranks"][0].get<uint32_t>()));
  const advice::Gate gate(knowledge, facts.context);
  facts.answers.emplace("advise", quotable_advice(book, gate, facts.answers));
  const std::string lang = arguments.value("lang", std::string());
  ToolResult result;
  if (arguments.contains("markdown")) {
    result.body = advice::validate(gate, facts.answers, arguments["markdown"].get<std::string>(), lang);
  } else {
    const auto items = arguments["items"].get<std::vector<std::string>>();
    result.body = advice::validate(gate, facts.answers, items, lang);
  }
  result.body["counts"] = counts_of(result.body);
  for (Json& item : result.body["items"]) {
    item["text"] = shorten(item["text"].get<std::string>(), limits::kDraftTextShown);
  }
  const auto start = arguments.value("start", size_t{0}), limit = arguments.value("limit", kDefaultLimit);
  keep_what_fits(result.body, start, limit, limit > kDefaultLimit ? kLargerRoom : kDefaultRoom);
  result.text = validation_head(result.body);
  for (const Json& item : result.body["items"]) result.pieces.push_back(item_text(result.pieces.size() + 1, item));
  result.missing = facts.missing;
  if (!facts.missing.empty()) result.status = Status::partial;
  return result;
}

}  // namespace stepwise::engine
