// Whose flags are written: those of a command line that begins with a program of everybody's are not advice. Internal
// to core/advice/gate.
#pragma once

#include <string_view>

namespace stepwise::advice {

/// other: git, curl, pytest, Stepwise itself. script: python or torchrun with a program of the reader's own.
enum class Command : uint8_t { none, other, script };

/// Of the command line that `at` stands in. Looks at a fixed number of bytes.
Command command_at(std::string_view text, size_t at);

/// --batch-size, --lr: what scripts take. Not --enable_super_fusion, nor what names the device or its software.
bool is_of_script(std::string_view flag);

}  // namespace stepwise::advice
