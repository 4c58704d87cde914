// What the gate says of a parameter's value. Internal to core/advice/gate.
#pragma once

#include <string>

#include "core/advice/applies.h"
#include "core/advice/gate/verdict.h"

namespace stepwise::advice {

/// Whether two ways to write a value mean the same: quotes, and the case of true and false, make no difference.
bool is_same_value(std::string_view a, std::string_view b);

/// R1 for the value, and the no-ops of R2: the default, or what is set already. Conditions are added to the verdict.
void judge_value(const Parameter& parameter, const std::string& value, const Context& context, Verdict& verdict);

}  // namespace stepwise::advice
