// What the caller declares of a profile on the command line (--declare K=V). [any thread]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace stepwise::cli {

/// "batch_size=512" -> {"batch_size": 512}: whole numbers and decimals become numbers, "@FILE" is the JSON
/// in that file, everything else stays text. Which names there are, the engine checks. Errors: usage `cli.declare`
/// (no "=", no name, a name twice, no JSON), io `cli.declare` (the file cannot be read).
Result<Json> parse_declare(const std::vector<std::string>& declarations);

}  // namespace stepwise::cli
