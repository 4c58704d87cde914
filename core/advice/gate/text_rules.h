// What the gate says of a text beyond the parameters in it: directions that belong to the other scenario, and what a
// fusion switch file is said to do. Internal to core/advice.
#pragma once

#include <string_view>
#include <vector>

#include "core/advice/gate/gate.h"
#include "core/advice/gate/mention.h"

namespace stepwise::advice {

/// R2: a direction that is for training only in a run of inference, or the other way round. R6: --fusion_switch_file
/// taken for auto-fusion, or told to switch off a pass that cannot be. Empty: nothing. Linear in the text.
std::vector<Verdict> judge_text(const Gate& gate, std::string_view text, const std::vector<Mention>& mentions);

}  // namespace stepwise::advice
