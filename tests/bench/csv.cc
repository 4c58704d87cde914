// kernel_details.csv of a million rows against pandas' C engine: CPU time.
#include <cstdio>

#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "tests/bench/bench.h"
#include "tests/bench/trace_work.h"

namespace stepwise::bench {
namespace {

constexpr double kBudgetTimes = 10;
constexpr unsigned kRows = 1'000'000;

void write_csv(const std::filesystem::path& path) {
  std::string text =
      "Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),"
      "Wait Time(us),Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,"
      "Output Data Types,Output Formats,Context ID,aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,"
      "aic_scalar_time(us),aic_scalar_ratio,aiv_time(us),aiv_vec_time(us),aiv_vec_ratio,cube_utilization(%)\r\n";
  char row[512];
  for (unsigned i = 0; i < kRows; ++i) {
    text.append(row, static_cast<size_t>(std::snprintf(
                         row, sizeof row,
                         "%u,0,4294967295,%u,%u,aclnnMatmul_MatMulCommon_MatMulV%u,MatMulV%u,dynamic,AI_CORE,"
                         "17000000%08u.%03u\t,%u.%03u,%u.250000,24,0,YES,\"\"\"%u,1024;1024,512\"\"\",DT_BF16;DT_BF16,"
                         "ND;ND,\"\"\"%u,512\"\"\",DT_BF16,ND,N/A,%u.5,%u,3.25,0.612,0.1,0.03,N/A,N/A,N/A,87.125\r\n",
                         i / 5000, i % 65'536, i % 7, i % 40, i % 40, i * 12, i % 1000, 4 + i % 90, i % 1000, i % 3,
                         32 << (i % 5), 32 << (i % 5), 4 + i % 90, 1000 + i % 500)));
  }
  write_file(path, text);
}

void read_csv(const std::filesystem::path& path, const std::filesystem::path& segment) {
  const CancelFlag cancel;
  ProgressGauge progress;
  ingest::Diagnostics diagnostics;
  ingest::IngestContext context{cancel, progress, diagnostics, {}};
  store::SegmentBuilder out;
  if (!ingest::read_kernel_details(path, "kernel_details.csv", context, out).ok()) fail("the CSV could not be read");
  if (!out.write_and_forget(segment, store::SegmentKey{}).ok()) fail("the segment could not be written");
}

}  // namespace

void bench_csv(const Settings& settings, Report& report) {
  const std::filesystem::path csv = settings.folder / "kernel_details.csv", segment = settings.folder / "segment";
  write_csv(csv);
  report.note(human_bytes(std::filesystem::file_size(csv)) + ", " + std::to_string(kRows) + " rows");
  const std::string python = python_with("pandas");
  // In one process with its import, whose own cost is taken off.
  const std::vector<std::string> import{python, "-c", "import pandas"},
      load{python, "-c", "import pandas,sys\npandas.read_csv(sys.argv[1], engine='c')", csv.string()};
  Series ours, pandas, importing;
  const auto measure = [&] {
    std::filesystem::remove(segment);  // else the run would pay for giving back the file of the one before
    return run_in_child([&] { read_csv(csv, segment); });
  };
  measure();
  for (unsigned i = 0; i < settings.runs; ++i) {
    ours.add(measure());
    if (python.empty()) continue;
    importing.add(run_program(import));
    pandas.add(run_program(load));
  }
  report.series("read and write", ours);
  if (python.empty()) {
    report.note("pandas is not installed (Debian: python3-pandas): not compared");
    return;
  }
  report.series("import pandas", importing);
  report.series("import pandas and read_csv", pandas);
  report.at_least("pandas' CPU over ours", (pandas.median_cpu_s() - importing.median_cpu_s()) / ours.median_cpu_s(),
                  kBudgetTimes, "times", agree({&ours, &pandas}));
}

}  // namespace stepwise::bench
