// Examples on disk for tests, and naive readers of their files.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "clients/example/example.h"
#include "core/base/decimal.h"
#include "core/base/json.h"
#include "tests/catch.h"

namespace stepwise::example {

namespace fs = std::filesystem;

inline std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

inline Json parsed(const fs::path& path) {
  auto json = parse_json(slurp(path));
  INFO(path.string());
  REQUIRE(json.ok());
  return std::move(json).value();
}

/// An example in a directory of its own that goes with it.
class Example {
 public:
  explicit Example(ExampleOptions options) {
    static int count = 0;
    options.dir = fs::temp_directory_path() /
                  ("stepwise_example_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    dir = options.dir;
    fs::remove_all(dir);
    auto result = write_example(options);
    REQUIRE(result.ok());
    report = std::move(result).value();
    truth = parsed(report.truth);
  }
  ~Example() { fs::remove_all(dir); }
  Example(const Example&) = delete;
  Example& operator=(const Example&) = delete;

  fs::path output(int rank) const {
    return dir / ("rank" + std::to_string(rank) + "_ascend_pt") / "ASCEND_PROFILER_OUTPUT";
  }

  fs::path dir;
  ExampleReport report;
  Json truth;
};

/// Rows of a file without quoted line ends; a comma in quotes does not separate.
inline std::vector<std::vector<std::string>> csv(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(slurp(path));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    rows.push_back(std::move(cells));
  }
  return rows;
}

inline int64_t ns_of(const std::string& us) {
  const auto ns = us_to_ns(us);
  INFO(us);
  REQUIRE(ns.has_value());
  return *ns;
}
inline int64_t ns_of(const Json& us) { return static_cast<int64_t>(us.get<double>() * 1'000.0 + 0.5); }

inline std::map<std::string, std::string> all_files(const fs::path& dir) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    if (entry.is_regular_file()) files[fs::relative(entry.path(), dir).string()] = slurp(entry.path());
  }
  return files;
}

}  // namespace stepwise::example
