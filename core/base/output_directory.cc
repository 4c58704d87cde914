#include "core/base/output_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace stepwise {

namespace fs = std::filesystem;

bool lies_inside(const fs::path& dir, const fs::path& profile) {
  std::error_code ec;
  const fs::path inner = fs::weakly_canonical(fs::absolute(dir, ec), ec);
  fs::path outer = fs::canonical(profile, ec);
  if (ec) return false;
  if (!fs::is_directory(outer, ec)) outer = outer.parent_path();
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

Result<fs::path> make_temporary_output_directory() {
  std::error_code ec;
  const fs::path base = fs::temp_directory_path(ec);
  std::string name = ((ec ? fs::path("/tmp") : base) / "stepwise-report-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return Error{ErrorKind::io, "output.unwritable", std::strerror(errno), "", name};
  }
  return fs::path(name);
}

}  // namespace stepwise
