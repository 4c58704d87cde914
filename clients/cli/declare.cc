#include "clients/cli/declare.h"

#include "core/base/text.h"

namespace stepwise::cli {
namespace {

Json value_of(std::string_view text) {
  if (const auto whole = to_integer(text)) return *whole;
  if (const auto number = to_double(text)) return *number;
  return std::string(text);
}

}  // namespace

Result<Json> parse_declare(const std::vector<std::string>& declarations) {
  Json out = Json::object();
  for (const std::string& one : declarations) {
    const size_t equals = one.find('=');
    const std::string name(trim(std::string_view(one).substr(0, equals)));
    if (equals == std::string::npos || name.empty()) {
      return Error{ErrorKind::usage, "cli.declare", "--declare " + one + " is not of the form NAME=VALUE.",
                   "For example: --declare batch_size=512", "--declare"};
    }
    if (out.contains(name)) {
      return Error{ErrorKind::usage, "cli.declare", "--declare gives " + name + " twice.", "", "--declare"};
    }
    out[name] = value_of(trim(std::string_view(one).substr(equals + 1)));
  }
  return out;
}

}  // namespace stepwise::cli
