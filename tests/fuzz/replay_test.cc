// Runs each target over its corpus: files that are small and whole, files that once broke something, and each of them
// cut short.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/fuzz/target.h"

namespace fs = std::filesystem;
using namespace stepwise;

namespace {

std::vector<fs::path> inputs_of(std::string_view target) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path("tests/fuzz/corpus") / target;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("every target has inputs, and every folder of the corpus a target") {
  for (const fuzz::Target& target : fuzz::targets()) {
    INFO(target.name);
    CHECK_FALSE(inputs_of(target.name).empty());
  }
  for (const auto& entry : fs::directory_iterator("tests/fuzz/corpus")) {
    INFO(entry.path());
    CHECK(fuzz::find_target(entry.path().filename().string()) != nullptr);
  }
}

TEST_CASE("every input of the corpus, whole and cut, comes back") {
  constexpr size_t kCuts = 7;
  // What must hold is demanded by the targets, which stop the process.
  size_t inputs = 0, came_back = 0;
  for (const fuzz::Target& target : fuzz::targets()) {
    for (const fs::path& path : inputs_of(target.name)) {
      INFO(path);
      const std::string bytes = bytes_of(path);
      ++inputs;
      target.run(target.name, bytes);
      ++came_back;
      for (size_t cut = 1; cut <= kCuts; ++cut) {
        target.run(target.name, std::string_view(bytes).substr(0, bytes.size() * cut / (kCuts + 1)));
        ++came_back;
      }
    }
  }
  CHECK(inputs >= fuzz::targets().size());
  CHECK(came_back == inputs * (kCuts + 1));
}
