// The folders that a server may open profiles in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace stepwise::cli {

/// What --root named, else the working directory: an agent must not read what its operator did not name.
/// Errors: not_found `cli.root`.
Result<std::vector<std::filesystem::path>> allowed_roots(const std::vector<std::string>& given);

}  // namespace stepwise::cli
