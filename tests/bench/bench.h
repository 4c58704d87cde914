// What every benchmark is given, and how it tells what it measured. A figure whose runs spread too far is "not
// measured": neither met nor missed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/bench/child_process.h"

namespace stepwise::bench {

struct Settings {
  uint64_t megabytes = 200;     // of the generated timeline
  uint64_t huge_megabytes = 0;  // of the one that is written while it is read; 0: left out
  unsigned runs = 7;
  double minutes = 0;             // of mixed calls; 0: left out
  std::filesystem::path program;  // build/stepwise
  std::filesystem::path trace;    // read instead of a generated one; empty: none
  std::filesystem::path folder;   // for files of the benchmark; goes with the program
};

class Report {
 public:
  explicit Report(std::string name) : name_(std::move(name)) {}

  /// A row of the table: what a process of that kind cost.
  void series(const std::string& what, const Series& series);
  /// A value that must not exceed its budget. `measured`: the runs it comes from agree.
  void at_most(const std::string& what, double value, double budget, const char* unit, bool measured = true);
  void at_least(const std::string& what, double value, double budget, const char* unit, bool measured = true);
  void note(const std::string& text);

  void print() const;
  Json to_json() const;
  bool missed() const;

 private:
  struct Row {
    std::string what;
    Series series;
  };
  struct Figure {
    std::string what, unit;
    double value = 0, budget = 0;
    bool is_floor = false, measured = true;
    const char* verdict() const;
  };
  void figure(Figure figure) { figures_.push_back(std::move(figure)); }

  std::string name_;
  std::vector<Row> rows_;
  std::vector<Figure> figures_;
  std::vector<std::string> notes_;
};

/// Beyond: not measured.
inline constexpr double kMaxSpread = 0.15;
bool agree(std::initializer_list<const Series*> series);

/// Stops the program with a message: a benchmark that cannot run has nothing better to do.
[[noreturn]] void fail(const std::string& why);
/// Writes a file, or stops the program.
void write_file(const std::filesystem::path& path, const std::string& bytes);

// One file each.
void bench_trace(const Settings& settings, Report& report);
void bench_gzip(const Settings& settings, Report& report);
void bench_huge(const Settings& settings, Report& report);
void bench_csv(const Settings& settings, Report& report);
void bench_program(const Settings& settings, Report& report);
void bench_many_ranks(const Settings& settings, Report& report);
void bench_graph(const Settings& settings, Report& report);
void bench_load(const Settings& settings, Report& report);
void bench_soak(const Settings& settings, Report& report);

}  // namespace stepwise::bench
