#include "clients/cli/token_file.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "core/base/small_file.h"
#include "core/base/text.h"

namespace stepwise::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMinTokenBytes = 16, kMaxTokenBytes = 4096;

Error no_token(const std::string& says, const std::string& hint, const fs::path& path) {
  return {ErrorKind::usage, "cli.token", says, hint, path.string()};
}

}  // namespace

Result<std::string> read_token(const fs::path& path) {
  std::error_code ec;
  const fs::perms others = fs::perms::group_all | fs::perms::others_all;
  const fs::file_status status = fs::status(path, ec);
  if (!ec && (status.permissions() & others) != fs::perms::none) {
    return no_token("Others may read the token.", "chmod 600 " + path.string(), path);
  }
  // A blank and a line's end may stand behind it.
  const auto text = read_small_file(path, kMaxTokenBytes + 2);
  if (!text) {
    return Error{ErrorKind::io, "cli.token_file", "The token cannot be read.", "Name a file that holds it.",
                 path.string()};
  }
  const std::string_view token = trim(*text);
  const bool is_visible = std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (token.size() < kMinTokenBytes || token.size() > kMaxTokenBytes || !is_visible) {
    return no_token("The file holds no token: one line of 16 or more letters, digits and signs.",
                    "For example: (umask 077; head -c 32 /dev/urandom | base64 > FILE)", path);
  }
  return std::string(token);
}

}  // namespace stepwise::cli
