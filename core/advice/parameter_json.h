// Parameters from and to JSON. Internal to core/advice.
#pragma once

#include <string>
#include <vector>

#include "core/advice/parameter.h"

namespace stepwise::advice {

/// What is wrong with the entry is added to `faults`, each with its JSON pointer below `where`; none: it is sound.
Parameter parameter_from_json(const Json& json, const std::string& where, std::vector<Error>& faults);

}  // namespace stepwise::advice
