#include "core/advice/rules/drafts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "core/advice/rules/fields_in_text.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

/// How code writes it: the name, unless that is a phrase such as "DataLoader(num_workers=...)"; then the longest alias
/// that the phrase is about.
const std::string& written_name(const Parameter& parameter) {
  const auto is_plain = [](const std::string& name) { return name.find_first_of(" (=<:") == name.npos; };
  if (is_plain(parameter.name)) return parameter.name;
  const std::string* best = nullptr;
  for (const std::string& alias : parameter.aliases) {
    const bool fits = is_plain(alias) && parameter.name.find(alias) != parameter.name.npos;
    if (fits && (best == nullptr || alias.size() > best->size())) best = &alias;
  }
  return best == nullptr ? parameter.name : *best;
}

/// Whether the mode decides which parameters carry it out.
bool depends_on_mode(const Measure& measure) {
  return std::any_of(measure.ways.begin(), measure.ways.end(),
                     [](const Way& way) { return !way.modes.empty() && !way.parameters.empty(); });
}

class Drafter {
 public:
  Drafter(const RuleBook& book, const MetricSet& metrics, std::string_view lang, const Places& places)
      : book_(book), metrics_(metrics), lang_(lang), places_(places) {}

  /// nullopt: the measure does not hold here.
  std::optional<Draft> draft(const Measure& measure, const Finding& unbounded) const;

 private:
  bool is_zh() const { return lang_ == "zh"; }
  Json value_of(std::string_view name) const {
    const Metric* metric = metrics_.find(name);
    return metric == nullptr ? Json() : metric->value;
  }
  /// Whether the run is one of these; of nothing always. `unknown` gets the metric where nobody can tell.
  bool may_be(std::string_view metric, const std::vector<std::string>& words, std::set<std::string>& unknown) const;
  bool fits_hardware(const std::string& hardware, std::set<std::string>& unknown) const;
  bool fits_scenario(const std::string& scenario, std::set<std::string>& unknown) const {
    return scenario == "any" || may_be("scenario.value", {scenario}, unknown);
  }
  const Way* way_of(const Measure& measure, std::set<std::string>& unknown) const;
  std::string check_it(const std::string& metric) const;
  void carry_out(const Way& way, Draft& draft) const;
  /// The finding with what this measure could give back of it.
  Finding bounded(const Measure& measure, Finding finding) const;
  std::optional<double> step_us() const;
  Gain gain_of(const Measure& measure, const Finding& finding) const;

  const RuleBook& book_;
  const MetricSet& metrics_;
  std::string_view lang_;
  const Places& places_;
};

bool Drafter::may_be(std::string_view metric, const std::vector<std::string>& words,
                     std::set<std::string>& unknown) const {
  if (words.empty()) return true;
  const Json value = value_of(metric);
  if (!value.is_string()) {
    unknown.emplace(metric);
    return true;
  }
  const auto may = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  // What runs operator by operator beside captured graphs is eager too.
  const bool is_part = metric == "mode.value" && value_of("mode.has_eager_part") == Json(true) && may("eager");
  return is_part || may(value.get<std::string>().c_str());
}

bool Drafter::fits_hardware(const std::string& hardware, std::set<std::string>& unknown) const {
  if (hardware == "agnostic") return true;
  return may_be("profile.hardware", {hardware == "ascend" ? "npu" : "gpu"}, unknown);
}

/// The first that fits what is known; else the first that may fit. Nobody can say how without the mode.
const Way* Drafter::way_of(const Measure& measure, std::set<std::string>& unknown) const {
  const Way* perhaps = nullptr;
  std::set<std::string> depends;
  for (const Way& way : measure.ways) {
    std::set<std::string> open;
    if (!may_be("mode.value", way.modes, open) || !open.empty()) continue;
    if (!fits_hardware(way.hardware, open) || !fits_scenario(way.scenario, open) ||
        !may_be("mode.toolchain", way.toolchains, open) || !may_be("profile.framework", way.frameworks, open)) {
      continue;
    }
    if (open.empty()) return &way;
    if (perhaps != nullptr) continue;
    perhaps = &way;
    depends = open;
  }
  unknown.merge(depends);
  return perhaps;
}

void Drafter::carry_out(const Way& way, Draft& draft) const {
  draft.links = way.links;
  const Knowledge& knowledge = book_.knowledge();
  for (const WantedParameter& one : way.parameters) {
    draft.parameters.push_back({written_name(*knowledge.find(one.id)), one.value, one.after_conversion});
  }
  draft.example = filled(way.example, [&](std::string_view field) {
    const std::string_view id = field.substr(6);  // behind "param:" or "value:"
    const auto wanted = std::find_if(way.parameters.begin(), way.parameters.end(),
                                     [&](const WantedParameter& one) { return one.id == id; });
    return field.starts_with("value:") ? *wanted->value : written_name(*knowledge.find(id));
  });
}

Finding Drafter::bounded(const Measure& measure, Finding finding) const {
  if (measure.bound.kind == Bound::Kind::none) return finding;
  const std::optional<double> own = share_of(measure.bound, metrics_);
  const bool is_both = own && finding.share_ratio && finding.rule->bound.kind != Bound::Kind::none;
  finding.share_ratio = is_both ? std::optional(std::min(*own, *finding.share_ratio)) : std::nullopt;
  return finding;
}

/// What shares of the step are shares of. A GPU trace's step.wall_us is its whole span, of all iterations.
std::optional<double> Drafter::step_us() const {
  const Json wall = value_of("step.wall_us"), count = value_of("iteration.count");
  const Json average = value_of("iteration.wall_avg_us");
  if (!wall.is_number()) return average.is_number() ? std::optional(average.get<double>()) : std::nullopt;
  const bool is_span = value_of("profile.hardware") == "gpu" && count.is_number() && count.get<double>() > 1;
  return wall.get<double>() / (is_span ? count.get<double>() : 1);
}

Gain Drafter::gain_of(const Measure& measure, const Finding& finding) const {
  Gain gain{std::nullopt, std::nullopt, measure.gain.in(lang_)};
  const std::optional<double> step = step_us();
  if (finding.share_ratio && step) gain.bound_us = *finding.share_ratio * *step;
  return gain;
}

/// Why dispatching may not be the cause is known where one step stands out: then that is told.
std::string Drafter::check_it(const std::string& metric) const {
  constexpr double kUneven = 2;
  const Json tail = value_of("iteration.tail_ratio");
  if (metric == "host.dispatch_bound" && tail.is_number() && tail.get<double>() > kUneven) {
    const std::string times = three_digits(tail.get<double>());
    return is_zh() ? "最慢一步耗时为中位步的 " + times + " 倍：均值由个别步拉高，请先查看其数据加载。"
                   : "The slowest step takes " + times + " times as long as the median: see its data loading first.";
  }
  return is_zh() ? "该性能数据无法得出 " + metric + "，需自行确认。"
                 : "The profile does not tell " + metric + ": check it.";
}

std::optional<Draft> Drafter::draft(const Measure& measure, const Finding& unbounded) const {
  std::set<std::string> unknown;
  if (holds(measure.when, metrics_, &unknown) == Truth::no) return std::nullopt;
  // A finding about dispatching, of which nobody can tell whether that is the cause.
  const std::vector<std::string>& bounds = unbounded.rule->bound.metrics;
  const bool is_dispatch = std::find(bounds.begin(), bounds.end(), "step.dispatch_free_ratio") != bounds.end();
  if (is_dispatch && value_of("host.dispatch_bound").is_null()) unknown.insert("host.dispatch_bound");
  if (!fits_scenario(measure.scenario, unknown)) return std::nullopt;
  if (!fits_hardware(measure.hardware, unknown)) return std::nullopt;
  if (!may_be("mode.value", measure.modes, unknown)) return std::nullopt;
  if (measure.needs_headroom) {
    const Json headroom = value_of("memory.headroom_bytes");
    if (headroom.is_null()) unknown.insert("memory.headroom_bytes");
    if (headroom.is_number() && headroom.get<double>() <= 0) return std::nullopt;
  }
  const Finding finding = bounded(measure, unbounded);
  const Rule& rule = *finding.rule;
  Draft out;
  if (const Way* way = way_of(measure, unknown)) {
    carry_out(*way, out);
  } else {
    out.lacks_parameters = depends_on_mode(measure) && !value_of("mode.value").is_string();
  }
  out.finding_id = rule.id;
  out.measure_id = measure.id;
  out.finding = says(rule, metrics_, lang_);
  out.measure = measure.direction.in(lang_);
  if (!measure.constraint.empty()) out.measure += (is_zh() ? "" : " ") + measure.constraint.in(lang_);
  out.priority = priority_of(finding);
  out.share_ratio = finding.share_ratio;
  out.trigger = finding.trigger;
  out.gain = gain_of(measure, finding);
  out.is_confirmed = unknown.empty();
  for (const std::string& name : unknown) out.conditions.push_back(check_it(name));
  if (const auto it = places_.find(rule.id); it != places_.end()) out.where = it->second;
  out.where.push_back({"", 0, measure.where.in(lang_)});
  out.risk_kind = measure.risk_kind;
  out.risk = measure.risk.in(lang_);
  out.hardware = measure.hardware != "agnostic" ? measure.hardware : rule.hardware;
  out.links.insert(out.links.begin(), measure.links.begin(), measure.links.end());
  return out;
}

bool goes_before(const Draft& a, const Draft& b) {
  const double a_share = a.share_ratio.value_or(0), b_share = b.share_ratio.value_or(0);
  if (a_share != b_share) return a_share > b_share;
  if (a.priority != b.priority) return a.priority < b.priority;
  const bool a_is_open = !a.is_confirmed, b_is_open = !b.is_confirmed;
  return std::tie(a.finding_id, a_is_open, a.measure_id) < std::tie(b.finding_id, b_is_open, b.measure_id);
}

/// The first `most` of each finding, confirmed ones before possible ones; their order stays.
void keep_best(std::vector<Draft>& all, size_t most) {
  std::map<std::string, size_t> taken;
  std::set<std::string> kept;
  for (const bool is_confirmed : {true, false}) {
    for (const Draft& one : all) {
      if (one.is_confirmed == is_confirmed && taken[one.finding_id]++ < most) kept.insert(one.measure_id);
    }
  }
  std::erase_if(all, [&](const Draft& one) { return !kept.contains(one.measure_id); });
}

bool is_excluded(const RuleBook& book, const Draft& draft, const std::vector<Draft>& before) {
  const auto names = [&](const std::string& one, const std::string& other) {
    const std::vector<std::string>& ids = book.measure(one)->excludes;
    return std::find(ids.begin(), ids.end(), other) != ids.end();
  };
  return std::any_of(before.begin(), before.end(), [&](const Draft& one) {
    return names(one.measure_id, draft.measure_id) || names(draft.measure_id, one.measure_id);
  });
}

}  // namespace

std::vector<Draft> drafts(const RuleBook& book, const Findings& findings, const MetricSet& metrics,
                          std::string_view lang, const Places& places, size_t most_per_finding) {
  const Drafter drafter(book, metrics, lang, places);
  std::vector<Draft> all, out;
  for (const Measure& measure : book.measures()) {
    // Findings come with the largest share first.
    for (const Finding& finding : findings.fired) {
      const auto& answers = measure.answers;
      if (std::find(answers.begin(), answers.end(), finding.rule->id) == answers.end()) continue;
      if (auto draft = drafter.draft(measure, finding)) all.push_back(std::move(*draft));
      break;
    }
  }
  std::sort(all.begin(), all.end(), goes_before);
  for (Draft& one : all) {
    if (!is_excluded(book, one, out)) out.push_back(std::move(one));
  }
  keep_best(out, most_per_finding);
  return out;
}

}  // namespace stepwise::advice
