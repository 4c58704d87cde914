// The fixtures that ask the client before they answer.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/engine/client.h"
#include "core/engine/result.h"

namespace stepwise::conformance {

struct AskingTool {
  const char* name;
  const char* description;
  std::vector<const char*> arguments;  // all of them texts, and required
  /// Errors: engine::kNeedsCapability where the client has not declared what the question needs.
  Result<engine::ToolResult> (*call)(const Json& arguments, const engine::ClientInput& client);
};

const std::vector<AskingTool>& asking_tools();

}  // namespace stepwise::conformance
