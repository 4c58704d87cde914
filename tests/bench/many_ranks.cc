// A tree of ten thousand small ranks: listed in seconds, and a call reads what it needs, not all.
#include <cstdio>
#include <cstdlib>

#include "tests/bench/bench.h"

namespace stepwise::bench {
namespace {

constexpr unsigned kRanks = 10'000;
constexpr double kOpenSeconds = 5;

void write_rank(const std::filesystem::path& root, unsigned rank) {
  char name[64];
  std::snprintf(name, sizeof name, "node_%05u_20250101000000000_ascend_pt", rank);
  const std::filesystem::path folder = root / name;
  const std::string number = std::to_string(rank);
  write_file(folder / ("profiler_info_" + number + ".json"), "{\"rank_id\": " + number + "}");
  write_file(
      folder / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv",
      "Name,Type,Accelerator Core,Start Time(us),Duration(us)\r\nAdd_1,Add,AI_VECTOR_CORE,1700000000000123.456\t,"
      "4.380\r\n");
  write_file(folder / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv",
             "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\r\n"
             "1,4.38,0,0,0,95.62,100,0\r\n");
  // As many names as a rank has: those that are left unread count, too.
  for (const char* other : {"analysis.log", "api.txt", "hbm.csv", "llc.csv", "nic.csv", "pcie.csv", "roce.csv"}) {
    write_file(folder / "ASCEND_PROFILER_OUTPUT" / other, "1\r\n");
  }
}

}  // namespace

void bench_many_ranks(const Settings& settings, Report& report) {
  const std::filesystem::path root = settings.folder / "many", cache = settings.folder / "cache-many";
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  for (unsigned rank = 0; rank < kRanks; ++rank) write_rank(root, rank);
  Series open, summarize;
  const std::string program = settings.program.string();
  for (unsigned i = 0; i < settings.runs; ++i) {
    open.add(run_program({program, "call", "open_profile", "--profile", root.string()}));
    summarize.add(run_program({program, "call", "summarize_profile", "--profile", root.string()}));
  }
  report.series("open_profile, whole process", open);
  report.series("summarize_profile, whole process", summarize);
  report.at_most("opened, wall", open.median_wall_s(), kOpenSeconds, "s");
  const auto cached = parse_json(output_of({program, "cache", "list", "--json"}));
  if (!cached.ok()) fail("the cache's list is no JSON");
  report.at_most("segments read of " + std::to_string(kRanks) + " ranks",
                 cached.value()["profiles"].at(0)["made"].get<double>(), 1, "");
}

}  // namespace stepwise::bench
