#include "core/advice/rules/condition.h"

#include <array>
#include <utility>

namespace stepwise::advice {
namespace {

constexpr std::array<std::pair<const char*, Compare>, 6> kCompares{{{">", Compare::greater},
                                                                    {">=", Compare::greater_equal},
                                                                    {"<", Compare::less},
                                                                    {"<=", Compare::less_equal},
                                                                    {"==", Compare::equal},
                                                                    {"!=", Compare::not_equal}}};
constexpr std::array<std::pair<const char*, Condition::Kind>, 3> kGroups{
    {{"all", Condition::Kind::all}, {"any", Condition::Kind::any}, {"not", Condition::Kind::negation}}};
constexpr int kMaxDepth = 16;

Error fault(std::string what, const std::string& where) {
  return {ErrorKind::bad_data, "rules.condition", std::move(what), "", where};
}

/// An order only of numbers; anything can be equal, but only to its own kind.
bool can_compare(const Json& a, const Json& b, Compare compare) {
  if (a.is_number() && b.is_number()) return true;
  const bool is_equality = compare == Compare::equal || compare == Compare::not_equal;
  return is_equality && ((a.is_boolean() && b.is_boolean()) || (a.is_string() && b.is_string()));
}

bool compared(const Json& a, const Json& b, Compare compare) {
  if (compare == Compare::equal) return a == b;
  if (compare == Compare::not_equal) return a != b;
  const double left = a.get<double>(), right = b.get<double>();
  switch (compare) {
    case Compare::greater:
      return left > right;
    case Compare::greater_equal:
      return left >= right;
    case Compare::less:
      return left < right;
    default:
      return left <= right;
  }
}

Result<Condition> comparison_from_json(const Json& json, const std::string& where) {
  for (const auto& [key, unused] : json.items()) {
    if (key != "metric" && key != "op" && key != "value") return fault("\"" + key + "\" is no key here.", where);
  }
  Condition out;
  out.kind = Condition::Kind::comparison;
  if (!json.contains("metric") || !json["metric"].is_string()) {
    return fault("A condition has all, any, not, or a metric with op and value.", where);
  }
  out.metric = json["metric"];
  const Json op = json.value("op", Json());
  bool is_known = false;
  for (const auto& [name, compare] : kCompares) {
    if (op != name) continue;
    out.compare = compare;
    is_known = true;
  }
  if (!is_known) return fault("op is one of > >= < <= == !=.", where + "/op");
  const Json value = json.value("value", Json());
  if (value.is_object()) {
    if (value.size() != 1 || !value.contains("chip") || !value["chip"].is_string()) {
      return fault("A value that depends on the chip is {\"chip\": KEY}.", where + "/value");
    }
    out.chip_key = value["chip"];
    return out;
  }
  if (!can_compare(value, value, out.compare)) {
    return fault("A value is a number; true, false and texts go with == and != only.", where + "/value");
  }
  out.value = value;
  return out;
}

Result<Condition> parse(const Json& json, const std::string& where, int depth) {
  if (!json.is_object()) return fault("A condition is an object.", where);
  if (depth > kMaxDepth) return fault("Conditions lie too deep in one another.", where);
  for (const auto& [name, kind] : kGroups) {
    if (!json.contains(name)) continue;
    const Json& parts = json[name];
    const std::string below = where + "/" + name;
    if (json.size() != 1) return fault("Nothing stands beside " + std::string(name) + ".", where);
    if (!parts.is_array() || parts.empty()) return fault("It is a list of conditions.", below);
    if (kind == Condition::Kind::negation && parts.size() != 1) return fault("not has one condition.", below);
    Condition out;
    out.kind = kind;
    for (size_t i = 0; i < parts.size(); ++i) {
      SW_ASSIGN_OR_RETURN(Condition part, parse(parts[i], below + "/" + std::to_string(i), depth + 1));
      out.parts.push_back(std::move(part));
    }
    return out;
  }
  return comparison_from_json(json, where);
}

Truth compare(const Condition& condition, const MetricSet& metrics, std::set<std::string>& missing) {
  const Metric* metric = metrics.find(condition.metric);
  if (metric == nullptr || metric->value.is_null()) {
    missing.insert(condition.metric);
    return Truth::unknown;
  }
  const Json threshold = threshold_of(condition, metrics);
  if (threshold.is_null()) missing.insert("chip." + condition.chip_key);
  if (!can_compare(metric->value, threshold, condition.compare)) {
    if (!threshold.is_null()) missing.insert(condition.metric);
    return Truth::unknown;
  }
  return compared(metric->value, threshold, condition.compare) ? Truth::yes : Truth::no;
}

Truth evaluated(const Condition& condition, const MetricSet& metrics, std::set<std::string>& missing) {
  if (condition.kind == Condition::Kind::comparison) return compare(condition, metrics, missing);
  if (condition.kind == Condition::Kind::negation) {
    const Truth part = evaluated(condition.parts.front(), metrics, missing);
    return part == Truth::unknown ? part : part == Truth::yes ? Truth::no : Truth::yes;
  }
  const Truth decides = condition.kind == Condition::Kind::all ? Truth::no : Truth::yes;
  Truth whole = decides == Truth::no ? Truth::yes : Truth::no;
  std::set<std::string> unknown;
  for (const Condition& one : condition.parts) {
    const Truth part = evaluated(one, metrics, unknown);
    if (part == decides) return decides;
    if (part == Truth::unknown) whole = part;
  }
  if (whole == Truth::unknown) missing.merge(unknown);
  return whole;
}

void collect(const Condition& condition, std::vector<const Condition*>& out) {
  if (condition.kind == Condition::Kind::comparison) out.push_back(&condition);
  for (const Condition& part : condition.parts) collect(part, out);
}

}  // namespace

const char* to_string(Compare compare) {
  for (const auto& [name, one] : kCompares) {
    if (one == compare) return name;
  }
  return "";
}

Result<Condition> condition_from_json(const Json& json) { return parse(json, "", 0); }

Truth holds(const Condition& condition, const MetricSet& metrics, std::set<std::string>* missing) {
  std::set<std::string> unknown;
  const Truth truth = evaluated(condition, metrics, unknown);
  if (truth == Truth::unknown && missing != nullptr) missing->merge(unknown);
  return truth;
}

Json threshold_of(const Condition& comparison, const MetricSet& metrics) {
  if (comparison.chip_key.empty()) return comparison.value;
  const Metric* chip = metrics.find("chip." + comparison.chip_key);
  return chip == nullptr ? Json() : chip->value;
}

std::vector<const Condition*> comparisons(const Condition& condition) {
  std::vector<const Condition*> out;
  collect(condition, out);
  return out;
}

}  // namespace stepwise::advice
