// Rules and measures out of JSON. What a field may hold stands in skills/rules/schema.json and
// skills/measures/schema.json.
#pragma once

#include <string>
#include <vector>

#include "core/advice/rules/rule.h"

namespace stepwise::advice {

/// With every fault in `faults`: bad_data `rules.entry`, `rules.condition`; where = `where` and the pointer below.
Rule rule_from_json(const Json& json, const std::string& where, std::vector<Error>& faults);
Measure measure_from_json(const Json& json, const std::string& where, std::vector<Error>& faults);

}  // namespace stepwise::advice
