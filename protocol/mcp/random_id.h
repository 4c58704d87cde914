// Names that nobody can guess.
#pragma once

#include <string>

namespace stepwise::mcp {

/// 128 bits of the system's randomness as 32 hexadecimal digits.
std::string random_id();

}  // namespace stepwise::mcp
