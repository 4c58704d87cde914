// Directories for the tests of discover(), and what it makes of them in a line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/ingest/discovery/layout.h"
#include "core/ingest/exports/tables_test_files.h"

namespace stepwise::ingest {

inline constexpr const char* kStepFile =
    "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n1,1,2,3,4,5,6,7\n";

class Tree {
 public:
  Tree& file(const std::string& path, std::string_view text = kStepFile) {
    std::filesystem::create_directories((folder_.path() / path).parent_path());
    folder_.write(path, text);
    return *this;
  }
  Tree& directory(const std::string& path) {
    std::filesystem::create_directories(folder_.path() / path);
    return *this;
  }
  Tree& link(const std::string& path, const std::filesystem::path& target) {
    std::filesystem::create_symlink(target, folder_.path() / path);
    return *this;
  }
  /// A run of one file that says its rank in the name of profiler_info.
  Tree& run(const std::string& path, const std::string& rank) {
    const std::string below = path.empty() ? "" : path + "/";
    file(below + "ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
    return file(below + "profiler_info_" + rank + ".json", "{}");
  }
  std::filesystem::path path(const std::string& below = "") const {
    return std::filesystem::canonical(folder_.path()) / below;
  }

 private:
  TemporaryFolder folder_;
};

/// "0 rank0_ascend_pt; 1 ..." or the error's code.
inline std::string ranks_of(const std::filesystem::path& path) {
  const auto layout = discover(path);
  if (!layout.ok()) return layout.error().code;
  std::string out;
  for (const RankLayout& rank : layout.value().ranks) {
    out += (out.empty() ? "" : "; ") + std::to_string(rank.rank) + " " + rank.dir;
    if (rank.claimed) out += " claims " + std::to_string(*rank.claimed);
  }
  return out;
}

inline std::string error_of(const std::filesystem::path& path) {
  const auto layout = discover(path);
  return layout.ok() ? "no error" : to_text(layout.error());
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace stepwise::ingest
