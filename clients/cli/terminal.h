// What the thing at the other end of a descriptor can show: a terminal with colour and block characters, or a file that
// wants plain text. [any thread]
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stepwise::cli {

struct Terminal {
  bool is_terminal = false;
  bool colour = false;   // ANSI colours
  bool unicode = false;  // block characters, "·", "…"; else ASCII
  int columns = 80;
};

/// Reads one variable of the environment; tests give their own.
using Environment = std::function<std::optional<std::string>(const char* name)>;
Environment process_environment();

/// Looks at the descriptor and at NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG.
Terminal probe_terminal(int fd, const Environment& environment);
/// The part that does not look at a descriptor: what a terminal of that width can show.
Terminal terminal_of(int columns, const Environment& environment);

enum class Colour : uint8_t { none, bold, dim, red, green, yellow, blue, magenta, cyan, grey };

/// The text in that colour, or as it is where there are no colours.
std::string paint(const Terminal& terminal, Colour colour, std::string_view text);

}  // namespace stepwise::cli
