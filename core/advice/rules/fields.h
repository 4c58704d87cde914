// Reading the fields of a rule or a measure: those of any entry, texts in two languages, conditions. Internal to
// core/advice/rules.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/advice/entry_reader.h"
#include "core/advice/rules/rule.h"

namespace stepwise::advice {

inline constexpr FaultKind kRulesFault{ErrorKind::bad_data, "rules.entry"};

class Fields : public Entry {
 public:
  Fields(const Json& json, std::string where, std::vector<Error>& faults)
      : Entry(json, std::move(where), faults, kRulesFault) {}

  /// Needed: at least one.
  void texts(const char* name, std::vector<std::string>& out, bool needed = false);
  /// {"en": ..., "zh": ...}
  void both(const char* name, Text& out, bool needed = false);
  void condition(const char* name, Condition& out, bool needed = false);
};

}  // namespace stepwise::advice
