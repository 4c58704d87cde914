#include "clients/cli/roots.h"

#include <system_error>
#include <utility>

namespace stepwise::cli {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> allowed_roots(const std::vector<std::string>& given) {
  std::error_code ec;
  if (given.empty()) {
    fs::path here = fs::current_path(ec);
    if (!ec) return std::vector{std::move(here)};
    return Error{ErrorKind::not_found, "cli.root", "The working directory is not there any more.",
                 "Name the directory of the profiles: --root DIR.", "."};
  }
  std::vector<fs::path> roots;
  for (const std::string& one : given) {
    if (!fs::is_directory(one, ec)) {
      return Error{ErrorKind::not_found, "cli.root", "--root " + one + " is not a directory.", "", one};
    }
    roots.emplace_back(one);
  }
  return roots;
}

}  // namespace stepwise::cli
