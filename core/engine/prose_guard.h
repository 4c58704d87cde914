// Third parties' words: a plugin that nobody of us wrote may say what it likes of a profile, but names no parameter
// that the gate would not let through.
#pragma once

#include <memory>

#include "core/advice/knowledge.h"
#include "core/engine/result.h"
#include "core/engine/tool.h"

namespace stepwise::engine {

/// Every text of the result but what its schema calls data (`x-role`): one that names a parameter that is not verified,
/// or sets one, is left out, with a warning `advice.left_out`. What the profile's mode is nobody asked, so no value
/// that holds in some modes only gets through.
void guard_prose(const ToolDecl& tool, const std::shared_ptr<const advice::Knowledge>& knowledge, ToolResult& result);

}  // namespace stepwise::engine
