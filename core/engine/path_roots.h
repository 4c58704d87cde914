// The directories that profiles may lie in, and what a path of a caller stands for there.
//
// Whoever names a path learns nothing of what lies outside: a path, and every link on the way, is compared with the
// roots as text before the file system is asked about it. Errors name the path as it was given.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace stepwise::engine {

/// [any thread]; const after construction.
class PathRoots {
 public:
  /// Empty: everything is inside.
  explicit PathRoots(const std::vector<std::filesystem::path>& roots);

  /// The real path of what the caller named. A relative one is looked for below each root, then in the working
  /// directory. Errors: not_found `profile.missing` (nothing there, or no path at all), `profile.outside_roots`.
  Result<std::filesystem::path> find(const std::string& given) const;

  /// Whether a real path, of something that was found already, lies inside.
  bool holds(const std::filesystem::path& real_path) const;

  Error outside(const std::string& given) const;

 private:
  struct Root {
    std::filesystem::path given;  // absolute, as text
    std::filesystem::path real;
  };
  std::optional<std::filesystem::path> inside(const std::filesystem::path& path) const;
  std::optional<std::filesystem::path> follow(std::filesystem::path path) const;
  Error missing(const std::string& given, const std::string& why) const;
  std::string in_words() const;

  std::vector<Root> roots_;
};

/// A path as an error tells it: what a caller made very long comes back shortened.
std::string told_path(const std::string& given);

}  // namespace stepwise::engine
