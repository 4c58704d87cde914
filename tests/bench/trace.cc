// The timeline reader: CPU time of reading a trace into a written segment with one thread, over that of a simdjson pass
// that loads the file and reads six fields, and over Python's json.load. Two threads against two processes at once.
#include <thread>

#include "core/base/text.h"
#include "tests/bench/bench.h"
#include "tests/bench/trace_baseline.h"
#include "tests/bench/trace_work.h"

namespace stepwise::bench {
namespace {

constexpr double kSimdjsonBudget = 1.3, kPythonBudget = 0.12, kScalingBudget = 0.85;

/// Two runs at once, each on its own: what two threads could reach.
void ingest_twice(const std::filesystem::path& trace, const std::filesystem::path& folder) {
  std::thread other([&] { ingest_trace(trace, folder / "segment-a", 1); });
  ingest_trace(trace, folder / "segment-b", 1);
  other.join();
}

}  // namespace

void bench_trace(const Settings& settings, Report& report) {
  const std::filesystem::path& trace = trace_of(settings);
  const std::filesystem::path segment = settings.folder / "segment";
  const auto pass = [&] {
    if (read_six_fields(trace) == 0) fail("the trace holds nothing");
  };
  run_in_child(pass);  // warms the page cache
  Series simdjson, one_thread, two_threads, two_runs, json_load;
  const std::string python = python_with("json");
  const std::vector<std::string> load{python, "-c", "import json,sys\njson.load(open(sys.argv[1]))", trace.string()};
  for (unsigned i = 0; i < settings.runs; ++i) {
    simdjson.add(run_in_child(pass));
    one_thread.add(run_in_child([&] { ingest_trace(trace, segment, 1); }));
    two_threads.add(run_in_child([&] { ingest_trace(trace, segment, 2); }));
    two_runs.add(run_in_child([&] { ingest_twice(trace, settings.folder); }));
    if (!python.empty()) json_load.add(run_program(load));
  }
  const uint64_t segment_bytes = std::filesystem::file_size(segment);
  report.note("trace " + human_bytes(std::filesystem::file_size(trace)) + ", segment " + human_bytes(segment_bytes));
  report.series("simdjson pass, six fields", simdjson);
  report.series("ingest and write, one thread", one_thread);
  report.series("ingest and write, two threads", two_threads);
  report.series("two such reads at once, one thread each", two_runs);

  report.at_most("CPU over the simdjson pass", one_thread.median_cpu_s() / simdjson.median_cpu_s(), kSimdjsonBudget, "",
                 agree({&simdjson, &one_thread}));
  if (!python.empty()) {
    report.series("python json.load", json_load);
    report.at_most("CPU over json.load", one_thread.median_cpu_s() / json_load.median_cpu_s(), kPythonBudget, "",
                   agree({&json_load, &one_thread}));
  } else {
    report.note("python3 is not installed: not compared with json.load");
  }
  // Two reads at once do twice the work in their time: the best that two threads could do is half of it.
  report.at_least("scaling of two threads, of two runs'", two_runs.median_wall_s() / 2 / two_threads.median_wall_s(),
                  kScalingBudget, "", agree({&two_threads, &two_runs}));
  const uint64_t peak = one_thread.peak_bytes();
  report.at_most("memory besides the segment", mib(peak) - mib(segment_bytes), kMemoryBudgetMib, "MiB");
}

}  // namespace stepwise::bench
