// The timeline reader's budget: CPU time of reading a trace into a written segment with one thread, over that of a
// simdjson pass that loads the file and reads six fields. Processes of their own, in turn; the file in the page cache.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <CLI/CLI.hpp>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/trace_view.h"
#include "tests/bench/child_process.h"
#include "tests/bench/trace_baseline.h"
#include "tests/bench/trace_generator.h"

namespace stepwise::bench {
namespace {

constexpr double kBudgetRatio = 1.3, kGoalRatio = 1.0;
constexpr double kMaxSpread = 0.15;            // beyond: not measured
constexpr uint64_t kBudgetBytes = 128u << 20;  // of memory, besides the segment's own size

struct Arguments {
  uint64_t megabytes = 200;
  unsigned runs = 7;
  std::string trace;  // instead of a generated one
  std::string out;
};

// Of the measured processes; goes with the program.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "stepwise-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      std::perror("temporary folder");
      std::exit(1);
    }
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void ingest(const std::filesystem::path& trace, const std::filesystem::path& segment, unsigned threads) {
  const CancelFlag cancel;
  ProgressGauge progress;
  ingest::Diagnostics diagnostics;
  ingest::IngestContext context{cancel, progress, diagnostics, {.threads = threads}};
  store::SegmentBuilder out;
  Result<void> result = ingest::read_trace_view(trace, "trace_view.json", context, out);
  if (result.ok()) {
    diagnostics.write_to(out);
    result = out.write(segment, store::SegmentKey{});
  }
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", to_text(result.error()).c_str());
    std::exit(1);
  }
}

void print_row(const char* what, const Series& series, double ratio) {
  std::printf("%-34s %9.3f %9.3f %8.1f %% %8.3f %12s\n", what, series.median_cpu_s(), series.median_wall_s(),
              100 * series.spread(), ratio, human_bytes(series.peak_bytes()).c_str());
}

Json to_json(const Series& series) {
  return Json{{"cpu_s", series.median_cpu_s()},
              {"wall_s", series.median_wall_s()},
              {"spread_ratio", series.spread()},
              {"peak_bytes", series.peak_bytes()}};
}

const char* verdict(bool measured, bool holds) { return !measured ? "not measured" : holds ? "met" : "missed"; }

/// 0: the budgets are met or could not be measured.
int run(const Arguments& arguments) {
  const TemporaryFolder folder;
  std::filesystem::path trace = arguments.trace;
  uint64_t events = 0;
  if (trace.empty()) {
    trace = folder.path() / "trace_view.json";
    events = generate_trace(trace, arguments.megabytes << 20).events;
  }
  const uint64_t trace_bytes = std::filesystem::file_size(trace);
  const std::filesystem::path segment = folder.path() / "segment";

  const auto pass = [&] {
    if (read_six_fields(trace) == 0) std::exit(1);
  };
  run_in_child(pass);  // warms the page cache
  Series simdjson, one_thread, two_threads;
  for (unsigned i = 0; i < arguments.runs; ++i) {
    simdjson.add(run_in_child(pass));
    one_thread.add(run_in_child([&] { ingest(trace, segment, 1); }));
    two_threads.add(run_in_child([&] { ingest(trace, segment, 2); }));
  }
  const uint64_t segment_bytes = std::filesystem::file_size(segment);
  const double ratio = one_thread.median_cpu_s() / simdjson.median_cpu_s();
  const bool measured = simdjson.spread() <= kMaxSpread && one_thread.spread() <= kMaxSpread;
  const bool fits = one_thread.peak_bytes() <= kBudgetBytes + segment_bytes;

  std::printf("trace %s, %llu events, segment %s, median of %u runs\n", human_bytes(trace_bytes).c_str(),
              static_cast<unsigned long long>(events), human_bytes(segment_bytes).c_str(), arguments.runs);
  std::printf("%-34s %9s %9s %10s %8s %12s\n", "", "CPU s", "wall s", "spread", "ratio", "peak memory");
  print_row("simdjson pass, six fields", simdjson, 1);
  print_row("ingest and write, one thread", one_thread, ratio);
  print_row("ingest and write, two threads", two_threads, two_threads.median_cpu_s() / simdjson.median_cpu_s());
  std::printf("CPU ratio %.3f, budget %.1f (goal %.1f): %s\n", ratio, kBudgetRatio, kGoalRatio,
              verdict(measured, ratio <= kBudgetRatio));
  std::printf("memory besides the segment %s, budget %s: %s\n",
              human_bytes(one_thread.peak_bytes() - std::min(one_thread.peak_bytes(), segment_bytes)).c_str(),
              human_bytes(kBudgetBytes).c_str(), verdict(true, fits));

  if (!arguments.out.empty()) {
    const Json report{{"benchmark", "trace_ingest"},
                      {"trace_bytes", trace_bytes},
                      {"segment_bytes", segment_bytes},
                      {"runs", arguments.runs},
                      {"simdjson_pass", to_json(simdjson)},
                      {"ingest_one_thread", to_json(one_thread)},
                      {"ingest_two_threads", to_json(two_threads)},
                      {"cpu_ratio", ratio},
                      {"cpu_ratio_budget", kBudgetRatio},
                      {"cpu_ratio_verdict", verdict(measured, ratio <= kBudgetRatio)},
                      {"memory_verdict", verdict(true, fits)}};
    std::filesystem::create_directories(arguments.out);
    std::ofstream(std::filesystem::path(arguments.out) / "trace_ingest.json") << dump_json_pretty(report);
  }
  return (measured && ratio > kBudgetRatio) || !fits ? 1 : 0;
}

}  // namespace
}  // namespace stepwise::bench

int main(int argc, char** argv) {
  stepwise::bench::Arguments arguments;
  CLI::App app{"Measures the timeline reader against its budget."};
  app.add_option("--mb", arguments.megabytes, "size of the generated trace in MiB")->capture_default_str();
  app.add_option("--runs", arguments.runs, "runs of each")->capture_default_str()->check(CLI::Range(1u, 1000u));
  app.add_option("--trace", arguments.trace, "a bare array of events to read instead")->check(CLI::ExistingFile);
  app.add_option("--out", arguments.out, "folder for trace_ingest.json");
  CLI11_PARSE(app, argc, argv);
  return stepwise::bench::run(arguments);
}
