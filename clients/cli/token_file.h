// The token that a server asks for, out of a file that nobody else can read.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace stepwise::cli {

/// The only line of the file: 16 to 4,096 visible ASCII characters. Errors: usage `cli.token` (others may read the
/// file, or it holds no token), io `cli.token_file`.
Result<std::string> read_token(const std::filesystem::path& path);

}  // namespace stepwise::cli
