// A rule, what fires; a measure, what answers it. Data of skills/rules and skills/measures; docs/guide/rules.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/gate/advice.h"
#include "core/advice/rules/condition.h"

namespace stepwise::advice {

/// A text in both languages. Rules' may hold {metric} (three significant digits) and {metric:%} (in per cent).
struct Text {
  std::string en, zh;
  const std::string& in(std::string_view lang) const { return lang == "zh" ? zh : en; }
  bool empty() const { return en.empty(); }
};

/// The share of the step that a finding could give back at most: a metric, the product, or the least of several.
struct Bound {
  enum class Kind : uint8_t { none, product, least } kind = Kind::none;
  std::vector<std::string> metrics{};
};

struct Rule {
  std::string id;
  Priority severity = Priority::low;
  std::string hardware = "agnostic";  // agnostic, ascend, gpu
  std::string scenario = "any";       // any, training, inference
  Condition when;
  std::string trigger;  // the metric of `when` that is told, with its threshold
  Bound bound;
  std::string source, since;
  Text says;
};

struct WantedParameter {
  std::string id;  // of the knowledge base
  std::optional<std::string> value;
  bool after_conversion = false;  // the second step: the conversion to a graph mode comes first
};

/// How a measure is carried out in some modes. The first way that fits is taken.
struct Way {
  std::vector<std::string> modes, toolchains, frameworks;  // empty: any
  std::string hardware = "agnostic", scenario = "any";
  std::vector<WantedParameter> parameters;
  std::string example;             // {param:ID} and {value:ID} stand for what `parameters` has
  std::vector<std::string> links;  // names of documents about this way, beside the measure's own
};

struct Measure {
  std::string id;
  std::vector<std::string> answers;  // ids of rules
  std::string hardware = "agnostic", scenario = "any";
  std::vector<std::string> modes;  // in which it makes sense; empty: any
  Condition when;
  Bound bound;                                    // beside the rule's: the smaller one counts
  Text direction, constraint, gain, risk, where;  // none of them names a parameter
  RiskKind risk_kind = RiskKind::none;
  std::vector<Way> ways;
  std::vector<std::string> links, excludes;  // names of documents; ids of measures
  bool needs_headroom = false;               // of device memory
  std::string source;
};

}  // namespace stepwise::advice
