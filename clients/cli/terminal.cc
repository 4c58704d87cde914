#include "clients/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace stepwise::cli {
namespace {

constexpr int kNarrowest = 40, kWidest = 120;

/// Without any locale variable (a container) the terminal is taken to be a modern one; a locale that names another
/// character set is believed.
bool speaks_unicode(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    auto locale = environment(name);
    if (!locale || locale->empty()) continue;
    std::ranges::transform(*locale, locale->begin(), [](unsigned char c) { return std::tolower(c); });
    return locale->find("utf-8") != std::string::npos || locale->find("utf8") != std::string::npos;
  }
  return true;
}

const char* code_of(Colour colour) {
  switch (colour) {
    case Colour::none:
      return "";
    case Colour::bold:
      return "\x1b[1m";
    case Colour::dim:
      return "\x1b[2m";
    case Colour::red:
      return "\x1b[31m";
    case Colour::green:
      return "\x1b[32m";
    case Colour::yellow:
      return "\x1b[33m";
    case Colour::blue:
      return "\x1b[34m";
    case Colour::magenta:
      return "\x1b[35m";
    case Colour::cyan:
      return "\x1b[36m";
    case Colour::grey:
      return "\x1b[90m";
  }
  return "";
}

}  // namespace

Environment process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
}

Terminal terminal_of(int columns, const Environment& environment) {
  Terminal terminal;
  terminal.is_terminal = true;
  const std::string kind = environment("TERM").value_or("");
  const bool dumb = kind.empty() || kind == "dumb";
  // https://no-color.org: present and not empty, whatever it says.
  terminal.colour = !dumb && environment("NO_COLOR").value_or("").empty();
  terminal.unicode = !dumb && kind != "linux" && speaks_unicode(environment);
  terminal.columns = std::clamp(columns > 0 ? columns : 80, kNarrowest, kWidest);
  return terminal;
}

Terminal probe_terminal(int fd, const Environment& environment) {
  if (isatty(fd) == 0) return {};
  winsize size{};
  const int columns = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  return terminal_of(columns, environment);
}

std::string paint(const Terminal& terminal, Colour colour, std::string_view text) {
  if (!terminal.colour || colour == Colour::none) return std::string(text);
  return code_of(colour) + std::string(text) + "\x1b[0m";
}

}  // namespace stepwise::cli
