#include "clients/cli/roots.h"

#include <system_error>

namespace stepwise::cli {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> allowed_roots(const std::vector<std::string>& given) {
  std::error_code ec;
  if (given.empty()) return std::vector<fs::path>{fs::current_path(ec)};
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
