// The JSON behind --args. [any thread]
#pragma once

#include <istream>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"

namespace stepwise::cli {

/// An object: as written; "@FILE": what stands in that file; "@-": what `input` gives to its end. At most 16 MiB.
/// Errors: usage `cli.usage` (no object, too long), io `cli.args` (the file cannot be read).
Result<Json> parse_json_argument(const std::string& written, std::istream& input);

}  // namespace stepwise::cli
