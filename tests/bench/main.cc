// The performance budgets, measured. Each benchmark prints a table and leaves its figures as JSON.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "tests/bench/bench.h"

namespace stepwise::bench {
namespace {

struct Benchmark {
  const char* name;
  void (*run)(const Settings&, Report&);
};
constexpr std::array kBenchmarks{
    Benchmark{"trace", bench_trace}, Benchmark{"gzip", bench_gzip},       Benchmark{"huge", bench_huge},
    Benchmark{"csv", bench_csv},     Benchmark{"program", bench_program}, Benchmark{"many_ranks", bench_many_ranks},
    Benchmark{"graph", bench_graph}, Benchmark{"load", bench_load},       Benchmark{"soak", bench_soak},
};

/// Goes with the program.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "stepwise-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) fail("no temporary folder can be made");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// 0: every budget is met or could not be measured.
int run(Settings settings, const std::vector<std::string>& chosen, const std::filesystem::path& out) {
  const TemporaryFolder folder;
  settings.folder = folder.path();
  bool missed = false;
  for (const Benchmark& one : kBenchmarks) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), one.name) == chosen.end()) continue;
    Report report(one.name);
    one.run(settings, report);
    report.print();
    missed = missed || report.missed();
    if (!out.empty()) write_file(out / (std::string(one.name) + ".json"), dump_json_pretty(report.to_json()));
  }
  return missed ? 1 : 0;
}

}  // namespace
}  // namespace stepwise::bench

int main(int argc, char** argv) {
  stepwise::bench::Settings settings;
  std::vector<std::string> chosen;
  std::string out;
  CLI::App app{"Measures the performance budgets."};
  app.add_option("BENCHMARK", chosen, "trace, gzip, huge, csv, program, many_ranks, graph, load, soak; default: all");
  app.add_option("--program", settings.program, "the stepwise program")->required()->check(CLI::ExistingFile);
  app.add_option("--mb", settings.megabytes, "size of the generated timeline in MiB")->capture_default_str();
  app.add_option("--huge-mb", settings.huge_megabytes, "size of the huge one in MiB; 0: left out")
      ->capture_default_str();
  app.add_option("--minutes", settings.minutes, "of mixed calls to a server; 0: left out")->capture_default_str();
  app.add_option("--runs", settings.runs, "runs of each")->capture_default_str()->check(CLI::Range(1u, 1000u));
  app.add_option("--trace", settings.trace, "a bare array of events to read instead")->check(CLI::ExistingFile);
  app.add_option("--out", out, "folder for the figures as JSON");
  CLI11_PARSE(app, argc, argv);
  return stepwise::bench::run(settings, chosen, out);
}
