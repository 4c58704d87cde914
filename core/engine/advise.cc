#include "core/engine/advise.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/advice/gate/gate.h"
#include "core/advice/gate/mention.h"
#include "core/advice/rules/blocking_facts.h"
#include "core/advice/rules/drafts.h"
#include "core/engine/advice_facts.h"
#include "core/engine/advise_text.h"

namespace stepwise::engine {
namespace {

constexpr int64_t kDefaultLimit = 5;

constexpr size_t kMostLacking = 5, kMostNext = 3;

Json row_schema() {
  const Json text = {{"type", "string"}}, texts = {{"type", "array"}, {"items", text}};
  const Json number = {{"type", {"number", "null"}}};
  const Json parameter = {
      {"type", "object"},
      {"required", {"name", "value", "status", "source", "source_kind"}},
      {"properties",
       {{"name", text},
        {"value", {{"type", {"string", "null"}}}},
        {"status", {{"type", "string"}, {"const", "verified"}}},
        {"source", text},
        {"source_kind", {{"type", "string"}, {"enum", {"official_doc", "code_repository", "builtin"}}}},
        {"conditions", texts}}}};
  return {{"type", "object"},
          {"x-role", "advice"},
          {"required",
           {"priority", "finding", "measure", "trigger", "gain", "condition", "parameters", "where", "risk_kind",
            "verdict", "hardware"}},
          {"properties",
           {{"priority", {{"type", "string"}, {"enum", {"high", "medium", "low"}}}},
            {"finding", text},
            {"measure", text},
            {"id", text},
            {"rule", text},
            {"share_ratio", number},
            {"trigger", {{"type", "object"}, {"required", {"metric", "value", "threshold", "tool"}}}},
            {"gain",
             {{"type", "object"},
              {"required", {"how"}},
              {"properties", {{"bound_us", number}, {"estimate_us", number}, {"how", text}}}}},
            {"condition", {{"type", "string"}, {"enum", {"confirmed", "possible"}}}},
            {"conditions", texts},
            {"parameters", {{"type", "array"}, {"items", parameter}}},
            {"where", {{"type", "array"}, {"items", {{"type", "object"}}}}},
            {"example", text},
            {"risk_kind",
             {{"type", "string"}, {"enum", {"none", "accuracy_ab", "communication_order", "memory", "stability"}}}},
            {"risk", text},
            {"verdict", {{"type", "string"}, {"enum", {"accepted", "downgraded"}}}},
            {"hardware", {{"type", "string"}, {"enum", {"agnostic", "ascend", "gpu"}}}},
            {"links", texts},
            {"evidence", texts}}}};
}

/// The words of a rule's id say what it is about: comm_not_hidden is about comm, and about what is hidden.
bool is_about(std::string_view rule_id, std::string_view focus) {
  if (focus.empty() || rule_id == focus) return true;
  for (std::string_view rest = rule_id; !rest.empty();) {
    const size_t end = std::min(rest.find('_'), rest.size());
    if (rest.substr(0, end) == focus) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

Result<void> check_focus(const advice::RuleBook& book, const std::string& focus) {
  std::set<std::string> first_words;
  for (const advice::Rule& rule : book.rules()) {
    if (is_about(rule.id, focus)) return {};
    first_words.insert(rule.id.substr(0, rule.id.find('_')));
  }
  if (focus.empty()) return {};
  std::string known;
  for (const std::string& one : first_words) known += (known.empty() ? "" : ", ") + one;
  return Error{ErrorKind::usage, "args.focus", "No rule is about \"" + focus + "\".",
               "A rule's id, or a word of one: " + known + ".", "/focus"};
}

/// How the rules of the book fared, and the metrics that most of them lack, at most so many. What no analyzer of this
/// version gives is nothing that the reader could supply: it is counted apart.
Json judged_json(const advice::RuleBook& book, const advice::Findings& findings, size_t most_metrics) {
  using Why = advice::NotApplicable::Why;
  size_t lack = 0, reserved = 0, others = 0;
  std::map<std::string, size_t> by_metric;
  for (const advice::NotApplicable& one : findings.not_applicable) {
    ++(one.why == Why::missing ? lack : one.why == Why::reserved ? reserved : others);
    if (one.why != Why::missing) continue;
    for (const std::string& metric : one.missing) {
      const auto known = book.metrics().find(metric);
      if (known == book.metrics().end() || !known->second.is_reserved) ++by_metric[metric];
    }
  }
  std::vector<std::pair<std::string, size_t>> ranked(by_metric.begin(), by_metric.end());
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  ranked.resize(std::min(ranked.size(), most_metrics));
  Json lacking = Json::array();
  for (const auto& [metric, rules] : ranked) lacking.push_back({{"metric", metric}, {"rules", rules}});
  return {{"rules", book.rules().size()}, {"fired", findings.fired.size()}, {"not_judged", lack},
          {"not_for_this_run", others},   {"reserved", reserved},           {"lacking", std::move(lacking)}};
}

/// Rules that fired and have no row: where their measures stand instead, or that none of them fits this run.
Json without_row(const advice::RuleBook& book, const advice::Findings& findings, const std::vector<Json>& rows) {
  Json list = Json::array();
  for (const advice::Finding& finding : findings.fired) {
    const std::string& id = finding.rule->id;
    const auto of_rule = [&](const Json& row) { return row["rule"] == id; };
    if (std::any_of(rows.begin(), rows.end(), of_rule)) continue;
    std::string under;
    for (const Json& row : rows) {
      const advice::Measure* measure = book.measure(row["id"].get<std::string>());
      const bool answers = measure != nullptr &&
                           std::find(measure->answers.begin(), measure->answers.end(), id) != measure->answers.end();
      const std::string rule = row["rule"].get<std::string>();
      if (answers && under.find(rule) == under.npos) under += (under.empty() ? "" : ", ") + rule;
    }
    list.push_back(
        {{"rule", id}, {"why", under.empty() ? "no measure fits this run" : "its measure stands under " + under}});
  }
  return list;
}

/// The tools in whose answers the first triggers stand: that is where a reader sees more of them.
std::vector<Next> next_of(const std::vector<Json>& rows, const std::string& lang) {
  std::vector<Next> list;
  for (const Json& row : rows) {
    const Json& trigger = row["trigger"];
    const std::string tool = trigger["tool"].get<std::string>();
    const bool is_known = std::any_of(list.begin(), list.end(), [&](const Next& one) { return one.tool == tool; });
    if (tool.empty() || tool == "open_profile" || is_known) continue;
    const std::string figure = trigger["metric"].get<std::string>();
    list.push_back({tool, Json::object(), lang == "zh" ? "给出 " + figure : "gives " + figure});
    if (list.size() == kMostNext) break;
  }
  return list;
}

/// The documents that the rows name, with their addresses (rule R4: of the maintained list only).
Json links_of(const std::vector<Json>& rows, size_t limit, const advice::Links& links) {
  std::set<std::string> names;
  for (const Json& row : std::span(rows).first(std::min(limit, rows.size()))) {
    for (const Json& name : row.value("links", Json::array())) names.insert(name.get<std::string>());
  }
  Json list = Json::array();
  for (const std::string& name : names) {
    if (const advice::Link* one = links.find(name)) list.push_back({{"name", one->name}, {"address", one->at()}});
  }
  return list;
}

Json context_json(const advice::Context& context) {
  Json out = {{"execution_mode", context.mode}, {"scenario", context.scenario}, {"framework", context.framework}};
  if (!context.toolchain.empty()) out["toolchain"] = context.toolchain;
  if (!context.chip.empty()) out["chip"] = context.chip;
  return out;
}

/// Without what names a parameter: a profile may say anything there, and the gate would refuse the whole advice for it.
advice::Places without_parameters(advice::Places places, const advice::Gate& gate) {
  for (auto& [rule, list] : places) {
    std::erase_if(list, [&](const advice::Place& one) {
      return one.how.find("://") != std::string::npos || !gate.finder().find(one.how).empty();
    });
  }
  return places;
}

/// What passes the gate, ranked.
std::vector<Json> rows_of(const advice::RuleBook& book, const advice::Findings& findings,
                          const advice::MetricSet& metrics, const advice::Gate& gate, const std::string& lang,
                          size_t most_per_finding, const advice::Places& places = {}, const std::string& focus = "") {
  std::vector<Json> rows;
  for (advice::Draft& draft : advice::drafts(book, findings, metrics, lang, places, most_per_finding)) {
    if (!is_about(draft.finding_id, focus)) continue;
    if (const auto passed = gate.pass(std::move(draft))) rows.push_back(passed->to_json());
  }
  return rows;
}

}  // namespace

Json quotable_advice(const advice::RuleBook& book, const advice::Gate& gate, const advice::Answers& answers) {
  const auto metrics = advice::MetricSet::from(answers);
  const auto findings = advice::evaluate(book, metrics);
  Json rows = Json::array();
  for (const char* lang : {"en", "zh"}) {
    for (Json& row : rows_of(book, findings, metrics, gate, lang, book.measures().size()))
      rows.push_back(std::move(row));
  }
  return {{"rows", std::move(rows)}};
}

Json advise_declaration() {
  return with_measuring_tools(
      {{"name", "advise"},
       {"title", "What to change"},
       {"description",
        "Ranked advice for this profile. Every parameter in it is verified, with its source, and fits the execution "
        "mode; "
        "what cannot be verified is a direction only. Check a draft of your own with validate_advice."},
       {"exposure", "core"},
       {"default_limit", kDefaultLimit},
       {"takes_limit", true},
       {"input",
        {{"type", "object"},
         {"additionalProperties", false},
         {"properties",
          {{"focus",
            {{"type", "string"}, {"description", "Only rules about this, e.g. comm, host, memory; or one rule's id."}}},
           {"lang", {{"type", "string"}, {"enum", {"en", "zh"}}, {"default", "en"}}}}}}},
       {"output",
        {{"type", "object"},
         {"required", {"rows", "judged"}},
         {"properties",
          {{"rows", {{"type", "array"}, {"x-role", "advice"}, {"items", row_schema()}}},
           {"context", {{"type", "object"}, {"x-role", "data"}}},
           {"links",
            {{"type", "array"},
             {"x-role", "data"},
             {"items", {{"type", "object"}}},
             {"description", "Documents that the first page of rows names, with addresses."}}},
           {"judged",
            {{"type", "object"},
             {"x-role", "data"},
             {"description",
              "Rules of the book: how many there are, fired, lack a metric, are for other runs, wait for an analyzer; "
              "and the metrics that most of them lack (with focus: all); `without_row`: fired, and why no row."}}}}}}},
       {"view", {{"columns", {"priority", "finding", "measure", "parameters", "gain", "verdict"}}}}});
}

Result<ToolResult> advise(const advice::RuleBook& book, const std::shared_ptr<const advice::Knowledge>& knowledge,
                          const Json& arguments, CallHost& host) {
  const std::string focus = arguments.value("focus", std::string()), lang = arguments.value("lang", std::string("en"));
  const auto limit = static_cast<size_t>(arguments.value("limit", kDefaultLimit));
  SW_RETURN_IF_ERROR(check_focus(book, focus));
  SW_ASSIGN_OR_RETURN(const AdviceFacts facts, gather_facts(host, arguments["ranks"][0].get<uint32_t>()));
  const auto metrics = advice::MetricSet::from(facts.answers);
  const auto findings = advice::evaluate(book, metrics);
  const advice::Gate gate(knowledge, facts.context);

  ToolResult result;
  result.has_rows = true;
  const size_t most = book.rule(focus) == nullptr ? advice::kMostPerFinding : book.measures().size();
  result.rows = rows_of(book, findings, metrics, gate, lang, most,
                        without_parameters(advice::places_of(facts.answers, lang), gate), focus);
  result.total_rows = result.rows.size();
  if (Json links = links_of(result.rows, limit, knowledge->links()); !links.empty())
    result.body["links"] = std::move(links);
  result.missing = facts.missing;
  if (!facts.missing.empty()) result.status = Status::partial;
  result.body["context"] = context_json(facts.context);
  result.body["judged"] = judged_json(book, findings, focus.empty() ? kMostLacking : book.metrics().size());
  if (focus.empty()) {
    if (Json list = without_row(book, findings, result.rows); !list.empty()) {
      result.body["judged"]["without_row"] = std::move(list);
    }
  }
  result.next = next_of(result.rows, lang);
  result.text = advice_head(result.body["context"], result.body["judged"]);
  for (const Json& row : result.rows) {
    result.pieces.push_back(
        advice_text(result.pieces.size() + 1, row, result.body.value("links", Json::array()), lang));
  }
  return result;
}

}  // namespace stepwise::engine
