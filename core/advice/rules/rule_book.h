// The rules and measures that advice is made of. Read once, immutable; any thread.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/knowledge.h"
#include "core/advice/rules/rule.h"
#include "core/base/error.h"

namespace stepwise::advice {

/// A metric that rules may ask for.
struct MetricName {
  enum class Kind : uint8_t { number, boolean, text } kind = Kind::number;
  bool is_reserved = false;  // no analyzer of this version gives it
};

class RuleBook {
 public:
  /// Of each directory, in turn, metrics.json, rules/*.json and measures/*.json, sorted by name, without schema.json.
  /// Later directories add, never override. What has a fault is left out, and each fault told: bad_data `rules.file`,
  /// `rules.entry`, `rules.condition`, `rules.metric`, `rules.parameter`, `rules.override`, `rules.unreachable`;
  /// where = file#pointer.
  static std::shared_ptr<const RuleBook> load(const std::vector<std::filesystem::path>& directories,
                                              std::shared_ptr<const Knowledge> knowledge, std::vector<Error>& faults);

  std::span<const Rule> rules() const { return rules_; }
  std::span<const Measure> measures() const { return measures_; }
  const std::map<std::string, MetricName, std::less<>>& metrics() const { return metrics_; }
  /// What the parameters of the measures are; outlives them.
  const Knowledge& knowledge() const { return *knowledge_; }
  const Rule* rule(std::string_view id) const;        // nullptr: none
  const Measure* measure(std::string_view id) const;  // nullptr: none

 private:
  friend class RuleLoader;

  std::vector<Rule> rules_;
  std::vector<Measure> measures_;
  std::map<std::string, MetricName, std::less<>> metrics_;
  std::shared_ptr<const Knowledge> knowledge_;
};

}  // namespace stepwise::advice
