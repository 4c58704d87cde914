#include "clients/cli/declare.h"

#include <fstream>
#include <iterator>

#include "core/base/text.h"

namespace stepwise::cli {
namespace {

/// "@FILE": the JSON in that file.
Result<Json> value_in_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (in) text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in) {
    return Error{ErrorKind::io, "cli.declare", "The file " + path + " cannot be read.", "", "--declare"};
  }
  auto value = parse_json(text);
  if (!value.ok()) {
    return Error{ErrorKind::usage, "cli.declare", path + " is not JSON: " + value.error().message, "", "--declare"};
  }
  return value;
}

Result<Json> value_of(std::string_view text) {
  if (text.starts_with('@')) return value_in_file(std::string(text.substr(1)));
  if (const auto whole = to_integer(text)) return Json(*whole);
  if (const auto number = to_double(text)) return Json(*number);
  return Json(std::string(text));
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
    SW_ASSIGN_OR_RETURN(out[name], value_of(trim(std::string_view(one).substr(equals + 1))));
  }
  return out;
}

}  // namespace stepwise::cli
