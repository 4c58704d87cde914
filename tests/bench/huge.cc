// A timeline of several GiB, which comes through a pipe while it is written: memory does not follow the file's size.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text.h"
#include "tests/bench/bench.h"
#include "tests/bench/trace_generator.h"
#include "tests/bench/trace_work.h"

namespace stepwise::bench {

void bench_huge(const Settings& settings, Report& report) {
  if (settings.huge_megabytes == 0) {
    report.note("left out: --huge-mb says how many MiB, e.g. 6144");
    return;
  }
  const std::filesystem::path pipe = settings.folder / "trace_view.json.pipe", segment = settings.folder / "segment";
  if (mkfifo(pipe.c_str(), 0600) != 0) fail("cannot make a pipe");
  const pid_t writer = fork();
  if (writer == 0) {
    generate_trace(pipe, settings.huge_megabytes << 20);
    _exit(0);
  }
  Series ingest;
  ingest.add(run_in_child([&] { ingest_trace(pipe, segment, 2); }));
  int status = 0;
  if (waitpid(writer, &status, 0) != writer || status != 0) fail("the trace could not be written");
  const uint64_t segment_bytes = std::filesystem::file_size(segment);
  report.note("trace " + human_bytes(settings.huge_megabytes << 20) + ", segment " + human_bytes(segment_bytes));
  report.series("ingest and write, two threads", ingest);
  report.at_most("memory besides the segment", mib(ingest.peak_bytes()) - mib(segment_bytes), kMemoryBudgetMib, "MiB");
}

}  // namespace stepwise::bench
