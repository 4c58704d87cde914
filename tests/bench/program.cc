// The program as its users meet it: start to the list of tools, a profile opened again, an analysis of segments that
// are read already.
#include <cstdlib>

#include "tests/bench/bench.h"

namespace stepwise::bench {
namespace {

constexpr double kStartMedianMs = 20, kStartP95Ms = 50, kReopenMs = 50, kAnalysisCpuMs = 100;
constexpr unsigned kStarts = 40, kReopens = 20;
constexpr const char* kEvents = "600000";

std::string shell_quoted(const std::string& text) { return "'" + text + "'"; }

/// An MCP client that says hello, asks for the tools and hangs up: the program ends when it has answered.
Cost list_tools(const Settings& settings) {
  const std::filesystem::path talk = settings.folder / "talk.jsonl";
  if (!std::filesystem::exists(talk)) {
    write_file(
        talk,
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})"
        "\n"
        R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
        "\n"
        R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
        "\n");
  }
  return run_program(
      {"sh", "-c", "exec " + shell_quoted(settings.program.string()) + " mcp < " + shell_quoted(talk.string())});
}

std::filesystem::path example(const Settings& settings, const char* name, std::vector<std::string> options) {
  const std::filesystem::path folder = settings.folder / name;
  std::vector<std::string> command{settings.program.string(), "--quiet", "example", folder.string()};
  command.insert(command.end(), options.begin(), options.end());
  run_program(command);
  return folder;
}

std::vector<std::string> call(const Settings& settings, const char* tool, const std::filesystem::path& profile) {
  return {settings.program.string(), "call", tool, "--profile", profile.string()};
}

}  // namespace

void bench_program(const Settings& settings, Report& report) {
  setenv("XDG_CACHE_HOME", (settings.folder / "cache").c_str(), 1);
  Series start;
  list_tools(settings);
  for (unsigned i = 0; i < kStarts; ++i) start.add(list_tools(settings));
  report.series("start, tools/list, end", start);
  report.at_most("median, wall", 1e3 * start.median_wall_s(), kStartMedianMs, "ms");
  report.at_most("95th percentile, wall", 1e3 * start.wall_s_at(0.95), kStartP95Ms, "ms");

  const auto ranks = example(settings, "ranks", {"--kind", "llm-train", "--ranks", "8", "--events", "20000"});
  run_program(call(settings, "comm_overlap", ranks));
  Series reopen, all_ranks;
  for (unsigned i = 0; i < kReopens; ++i) {
    reopen.add(run_program(call(settings, "open_profile", ranks)));
    all_ranks.add(run_program(call(settings, "comm_overlap", ranks)));
  }
  report.series("open 8 ranks again, whole process", reopen);
  report.series("comm_overlap of 8 ranks, whole process", all_ranks);
  report.at_most("opened again, wall", 1e3 * reopen.median_wall_s(), kReopenMs, "ms");

  const auto large = example(settings, "large", {"--ranks", "1", "--events", kEvents});
  run_program(call(settings, "stage_breakdown", large));
  Series analysis;
  for (unsigned i = 0; i < settings.runs; ++i) analysis.add(run_program(call(settings, "stage_breakdown", large)));
  report.series(("stage_breakdown of " + std::string(kEvents) + " events, read already").c_str(), analysis);
  report.at_most("its CPU", 1e3 * analysis.median_cpu_s(), kAnalysisCpuMs, "ms", agree({&analysis}));
}

}  // namespace stepwise::bench
