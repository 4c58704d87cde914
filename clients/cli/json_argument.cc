#include "clients/cli/json_argument.h"

#include <fstream>
#include <utility>

#include "core/base/text.h"

namespace stepwise::cli {
namespace {

constexpr size_t kMaxBytes = 16u << 20;
constexpr size_t kShown = 80;  // code points of what was no JSON

Error wrong(const std::string& what) {
  return {ErrorKind::usage, "cli.usage", what, "For example: --args '{\"limit\": 50}', --args @FILE or --args @-",
          "--args"};
}

/// To the end; one byte past kMaxBytes at most.
std::string read_all(std::istream& input) {
  std::string text(kMaxBytes + 1, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(input.gcount()));
  return text;
}

}  // namespace

Result<Json> parse_json_argument(const std::string& written, std::istream& input) {
  std::string text = written, from = written;
  if (written == "@-") {
    text = read_all(input);
    from = "standard input";
  } else if (written.starts_with('@')) {
    from = written.substr(1);
    std::ifstream file(from, std::ios::binary);
    if (file) text = read_all(file);
    if (!file.is_open() || file.bad()) {
      return Error{ErrorKind::io, "cli.args", "The file of --args cannot be read: " + from + ".",
                   "Name a file that holds a JSON object.", from};
    }
  }
  if (text.size() > kMaxBytes) return wrong("--args is longer than 16 MiB: " + from);
  auto arguments = parse_json(text);
  if (!arguments.ok() || !arguments.value().is_object()) {
    return wrong("--args is not a JSON object: " + shorten(from, kShown));
  }
  return std::move(arguments).value();
}

}  // namespace stepwise::cli
