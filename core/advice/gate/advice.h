// Advice: what a rule found, what to do about it, and what the gate says of that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice/gate/verdict.h"
#include "core/base/json.h"

namespace stepwise::advice {

enum class Priority : uint8_t { high, medium, low };
const char* to_string(Priority priority);

enum class RiskKind : uint8_t { none, accuracy_ab, communication_order, memory, stability };
const char* to_string(RiskKind kind);

/// What fired: a metric of docs/metrics.md, its value in this profile, and the threshold.
struct Trigger {
  std::string metric;
  Json value, threshold;
  std::string tool{};  // in whose answer it stands
};

/// At most what the finding's own time gives back; a number only where the profile itself yields it.
struct Gain {
  std::optional<double> bound_us, estimate_us;
  std::string how;
};

/// Where the change is made.
struct Place {
  std::string file;  // empty: no file is known
  int64_t line = 0;  // 0: the file as a whole
  std::string how;
};

/// Advice that nobody has checked. It has no way to JSON: see Advice.
struct Draft {
  std::string lang = "en";             // of its prose: en or zh
  std::string finding_id, measure_id;  // of skills/rules, skills/measures
  std::string finding, measure;        // prose, in the language asked for
  Priority priority = Priority::low;
  std::optional<double> share_ratio{};  // of the step, that the finding could give back at most; what ranks advice
  Trigger trigger;
  Gain gain;
  bool is_confirmed = false;            // else possible: something it depends on is not known
  std::vector<std::string> conditions;  // what it depends on
  std::vector<Proposed> parameters;
  bool lacks_parameters = false;  // there are some, and which nobody can tell for this run
  std::vector<Place> where;
  std::string example;  // code; may name nothing but `parameters`
  RiskKind risk_kind = RiskKind::none;
  std::string risk;
  std::string hardware = "agnostic";  // agnostic, ascend, gpu
  std::vector<std::string> links;     // names of documents, of skills/knowledge/links.json
  std::vector<std::string> evidence;  // ids of evidence of the answer that the metric stands in
};

/// Advice that went through the gate: accepted as it was, or downgraded to a direction without parameters. Nobody but
/// the gate makes one, and nothing but an Advice becomes an advice row.
class Advice {
 public:
  /// The row of advise in docs/tools.md.
  Json to_json() const;
  Decision decision() const { return decision_; }
  const Draft& draft() const { return draft_; }

 private:
  friend class Gate;
  Advice(Draft draft, Decision decision, std::vector<Verdict> verdicts)
      : draft_(std::move(draft)), decision_(decision), verdicts_(std::move(verdicts)) {}

  Draft draft_;
  Decision decision_;
  std::vector<Verdict> verdicts_;  // one a parameter
};

}  // namespace stepwise::advice
