// Directories of which something lies in one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

namespace stepwise::ingest {

/// Looking one up takes as long as its path is deep, however many directories there are.
class DirectorySet {
 public:
  void add(const std::filesystem::path& directory) { paths_.insert(directory.native()); }
  /// The path is one of them, or lies in one.
  bool holds(const std::filesystem::path& path) const {
    for (std::string part = path.native(); !part.empty(); part.resize(part.rfind('/'))) {
      if (paths_.contains(part)) return true;
      if (part.find('/') == std::string::npos) break;
    }
    return false;
  }
  /// Exactly that one.
  bool has(const std::filesystem::path& directory) const { return paths_.contains(directory.native()); }

 private:
  std::unordered_set<std::string> paths_;
};

}  // namespace stepwise::ingest
