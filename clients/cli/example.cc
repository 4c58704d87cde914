// stepwise example: a synthetic profile to try things on.
#include "clients/example/example.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <system_error>

#include "clients/cli/commands.h"
#include "clients/cli/terminal_progress.h"
#include "core/base/text.h"
#include "core/report/figures.h"

namespace stepwise::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

uint64_t bytes_below(const fs::path& dir) {
  std::error_code ec;
  uint64_t bytes = 0;
  for (fs::recursive_directory_iterator it(dir, ec), end; !ec && it != end; it.increment(ec)) {
    std::error_code of_file;
    if (it->is_regular_file(of_file)) bytes += it->file_size(of_file);
  }
  return bytes;
}

/// The writer tells nothing while it works; what has reached the disk does.
Result<example::ExampleReport> write_with_progress(const example::ExampleOptions& options,
                                                   const Invocation& invocation) {
  auto work = std::async(std::launch::async, [&options] { return example::write_example(options); });
  ProgressLine line(invocation.globals.quiet ? Terminal{} : invocation.console.error_terminal(),
                    [&](std::string_view text) { invocation.console.note(text); });
  while (work.wait_for(100ms) != std::future_status::ready) {
    if (invocation.stop.requested()) {
      line.clear();
      _exit(130);  // the writer cannot be asked to stop, and what it leaves is only ever overwritten
    }
    line.update({bytes_below(options.dir), 0, "writing"}, ProgressLine::Clock::now());
  }
  return work.get();
}

Json as_json(const example::ExampleOptions& options, const example::ExampleReport& report) {
  return {{"dir", options.dir.string()},   {"events_per_rank", report.events_per_rank},
          {"ranks", options.ranks},        {"steps", options.steps},
          {"files", report.files},         {"bytes", report.bytes},
          {"truth", report.truth.string()}};
}

}  // namespace

int run(const example::ExampleOptions& options, const Invocation& invocation) {
  Console& console = invocation.console;
  auto written = write_with_progress(options, invocation);
  if (!written.ok()) return console.fail(written.error());
  const example::ExampleReport& report = written.value();
  if (invocation.globals.json) {
    console.result(dump_json_pretty(as_json(options, report)));
  } else if (!invocation.globals.quiet) {
    console.result("Wrote " + options.dir.string() + ": " + std::to_string(options.ranks) + " ranks, " +
                   std::to_string(options.steps) + " steps, " + report::grouped(report.events_per_rank) +
                   " trace events a rank, " + human_bytes(static_cast<uint64_t>(report.bytes)) + " in " +
                   std::to_string(report.files) + " files.\nWhat the tools must answer: " + report.truth.string() +
                   "\nNow: stepwise analyze " + options.dir.string() + "\n");
  }
  return 0;
}

}  // namespace stepwise::cli
