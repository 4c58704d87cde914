#include "clients/example/infer_export.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "clients/example/export_report.h"
#include "clients/example/infer_truth.h"
#include "clients/example/infer_writers.h"
#include "clients/example/msprof_db_writer.h"
#include "clients/example/random.h"
#include "clients/example/summary_writers.h"
#include "clients/example/target_dir.h"

namespace stepwise::example {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxBlocks = 1'000'000;
constexpr int kKernelsOfBlock = 3;

/// yyyymmddHHMMSS
std::string time_in_names(int64_t ns) {
  const auto seconds = static_cast<std::time_t>(ns / 1'000'000'000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d%H%M%S", &parts);
  return text.data();
}

int64_t minimum_events(const Facts& facts, const InferGraph& graph) {
  return msprof_events_without_counters(facts.steps, facts.steps * static_cast<int64_t>(graph.kernels.size()));
}

/// Nine tenths of the events are for the model.
int blocks_for(const Facts& facts, int64_t events) {
  const int64_t spare = events * 9 / 10 - minimum_events(facts, InferGraph(facts));
  return static_cast<int>(std::clamp<int64_t>(1 + spare / (int64_t{facts.steps} * kKernelsOfBlock), 1, kMaxBlocks));
}

/// Compiling takes many times as long as executing.
int64_t compile_ns(const Facts& facts, const InferGraph& graph) {
  int64_t typical_ns = 0;
  for (const KernelSpec& spec : graph.kernels) typical_ns += spec.base_ns;
  return (1'000'000 + typical_ns * stream(facts.seed, 0xC0DE, 0).between(8, 20)) / 10 * 10;
}

class Exporter {
 public:
  Exporter(const ExampleOptions& options, const Facts& facts, const InferGraph& graph)
      : options_(options), facts_(facts), graph_(graph) {}

  Result<ExampleReport> write(int64_t minimum) {
    report_.minimum_events = minimum;
    report_.events_per_rank = std::max(options_.events, minimum_events(facts_, graph_));
    std::vector<InferTally> tallies(static_cast<size_t>(facts_.ranks));
    for (int device = 0; device < facts_.ranks; ++device) {
      InferTally& tally = tallies[static_cast<size_t>(device)];
      run_inference(facts_, graph_, device, [&](const InferIteration& iteration) { tally.add(graph_, iteration); });
      SW_RETURN_IF_ERROR(write_device({facts_, graph_, device, tally}));
    }
    const fs::path dump = options_.dir / kGraphDirectory;
    SW_RETURN_IF_ERROR(make_directory(dump));
    SW_RETURN_IF_ERROR(counted(write_ge_onnx(dump / "ge_onnx_00000127_graph_1_Build.pbtxt", graph_)));

    report_.truth = options_.dir / "truth.json";
    SW_ASSIGN_OR_RETURN(TextFile truth, TextFile::create(report_.truth));
    truth.text(dump_json_pretty(build_infer_truth(options_, facts_, graph_, tallies)));
    SW_RETURN_IF_ERROR(truth.close());
    count_file(report_, truth.bytes());
    return std::move(report_);
  }

 private:
  Result<void> write_device(const InferExport& run) {
    const std::string device = std::to_string(run.device), time = time_in_names(run.tally.last_ns);
    const std::string number = std::to_string(1'000'001 + run.device).substr(1);
    const fs::path dir = options_.dir / ("PROF_" + number + "_" + time_in_names(run.tally.first_ns) + "000_" +
                                         std::string(kProfDirectoryEnd));
    const fs::path output = dir / "mindstudio_profiler_output", host = dir / "host", own = dir / ("device_" + device);
    for (const fs::path& one : {output, host, own}) SW_RETURN_IF_ERROR(make_directory(one));

    SW_RETURN_IF_ERROR(counted(write_host_info(host / "info.json", run)));
    SW_RETURN_IF_ERROR(counted(write_sample(host / "sample.json", run)));
    SW_RETURN_IF_ERROR(counted(write_device_info(own / ("info.json." + device), run)));
    SW_RETURN_IF_ERROR(counted(write_sample(own / "sample.json", run)));

    if (has_db(facts_.form)) SW_RETURN_IF_ERROR(counted(write_msprof_db(dir / ("msprof_" + time + ".db"), run)));
    return has_text(facts_.form) ? write_text(output, time, run) : Result<void>();
  }

  Result<void> write_text(const fs::path& output, const std::string& time, const InferExport& run) {
    auto named = [&](const std::string& name, const char* ending) { return output / (name + "_" + time + ending); };
    SW_RETURN_IF_ERROR(counted(write_op_summary(named("op_summary", ".csv"), run)));
    SW_RETURN_IF_ERROR(counted(write_step_trace(named("step_trace", ".csv"), run)));
    const std::string cells = std::to_string(run.device) + "," + std::string(kInferModelName) + ",";
    SW_RETURN_IF_ERROR(counted(
        write_op_statistic(named("op_statistic", ".csv"), run.tally.by_type, {"Device_id,Model Name,", cells})));
    SW_RETURN_IF_ERROR(
        counted(write_api_statistic(named("api_statistic", ".csv"), run.tally.by_api, {"Device_id,", "host,"})));
    const int64_t counters = report_.events_per_rank - msprof_events_without_counters(facts_.steps, run.tally.kernels);
    return counted(write_msprof_trace(named("msprof", ".json"), run, counters));
  }

  Result<void> counted(Result<int64_t> bytes) { return count_file(report_, std::move(bytes)); }

  const ExampleOptions& options_;
  const Facts& facts_;
  const InferGraph& graph_;
  ExampleReport report_;
};

}  // namespace

Result<ExampleReport> write_inference(const ExampleOptions& options) {
  Facts facts = draw_facts(options);
  const int64_t minimum = minimum_events(facts, InferGraph(facts));
  set_blocks(facts, blocks_for(facts, options.events));
  const InferGraph graph(facts);
  facts.infer.compile_ns = compile_ns(facts, graph);
  return Exporter(options, facts, graph).write(minimum);
}

}  // namespace stepwise::example
