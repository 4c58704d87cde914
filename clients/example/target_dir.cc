#include "clients/example/target_dir.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <system_error>
#include <vector>

namespace stepwise::example {
namespace {

namespace fs = std::filesystem;

/// What examples call their directories.
bool is_example_directory(const std::string& name) {
  if (name == kGraphDirectory) return true;
  if (name.starts_with("PROF_") && name.ends_with(kProfDirectoryEnd)) return true;
  constexpr std::string_view kBefore = "rank", kAfter = "_ascend_pt";
  if (name.size() <= kBefore.size() + kAfter.size()) return false;
  const std::string_view number =
      std::string_view(name).substr(kBefore.size(), name.size() - kBefore.size() - kAfter.size());
  return name.compare(0, kBefore.size(), kBefore) == 0 &&
         name.compare(name.size() - kAfter.size(), kAfter.size(), kAfter) == 0 &&
         std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

Error cannot(const std::string& what, const fs::path& path, const std::error_code& why) {
  return {ErrorKind::io, "example.write", "Cannot " + what + " " + path.string() + ": " + why.message() + ".",
          "Choose a directory that is writable.", path.string()};
}

}  // namespace

Result<void> prepare_target(const fs::path& dir) {
  std::error_code failed;
  fs::create_directories(dir, failed);
  if (failed) return cannot("create", dir, failed);
  std::vector<fs::path> old;
  bool has_truth = false, has_other = false;
  for (fs::directory_iterator it(dir, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    has_truth = has_truth || name == "truth.json";
    if (is_example_directory(name)) {
      old.push_back(it->path());
    } else {
      has_other = has_other || name != "truth.json";
    }
  }
  if (failed) return cannot("list", dir, failed);
  if (!has_truth && (has_other || !old.empty())) {
    return Error{ErrorKind::usage, "example.occupied",
                 dir.string() + " is not empty and holds no earlier example (no truth.json).",
                 "Give a directory of its own.", dir.string()};
  }
  for (const fs::path& directory : old) {
    fs::remove_all(directory, failed);
    if (failed) return cannot("remove", directory, failed);
  }
  return {};
}

}  // namespace stepwise::example
