// Repeated structures of a graph of 20,000 and of 200,000 nodes.
#include <cstdio>
#include <cstdlib>

#include "tests/bench/bench.h"

namespace stepwise::bench {
namespace {

constexpr unsigned kSmall = 20'000, kLarge = 200'000;
constexpr double kGrowth = 13, kLargeSeconds = 5;

/// A chain of blocks of ten operators, as a model's layers are, each block with a type of its own now and then.
void write_graph(const std::filesystem::path& path, unsigned nodes) {
  static constexpr const char* kTypes[] = {"MatMulV2", "BiasAdd", "Relu",    "LayerNorm", "Cast",
                                           "Mul",      "Add",     "Softmax", "Transpose", "Reshape"};
  std::string text = "graph {\n  name: \"g\"\n";
  char op[256];
  for (unsigned i = 0; i < nodes; ++i) {
    const unsigned block = i / 10;
    const bool is_odd_one = i % 10 == 9 && block % 7 == 0;
    text.append(op, static_cast<size_t>(std::snprintf(
                        op, sizeof op, "  op {\n    name: \"n%u\"\n    type: \"%s%s\"\n    input: \"n%u:0\"\n  }\n", i,
                        kTypes[i % 10], is_odd_one ? std::to_string(block % 101).c_str() : "", i == 0 ? 0 : i - 1)));
  }
  write_file(path, text + "}\n");
}

}  // namespace

void bench_graph(const Settings& settings, Report& report) {
  setenv("XDG_CACHE_HOME", (settings.folder / "cache").c_str(), 1);
  const auto measure = [&](unsigned nodes) {
    const std::filesystem::path file =
        settings.folder / ("graph" + std::to_string(nodes)) / "ge_proto_00000001_graph_1_Build.txt";
    write_graph(file, nodes);
    const std::vector<std::string> command{settings.program.string(), "call", "repeated_subgraphs", "--profile",
                                           file.string()};
    run_program(command);  // reads the file
    Series series;
    for (unsigned i = 0; i < settings.runs; ++i) series.add(run_program(command));
    report.series("repeated_subgraphs, " + std::to_string(nodes) + " nodes", series);
    return series;
  };
  const Series small = measure(kSmall), large = measure(kLarge);
  const bool measured = agree({&small, &large});
  report.at_most("CPU of ten times the nodes", large.median_cpu_s() / small.median_cpu_s(), kGrowth, "times", measured);
  report.at_most("CPU of the large one", large.median_cpu_s(), kLargeSeconds, "s", measured);
}

}  // namespace stepwise::bench
