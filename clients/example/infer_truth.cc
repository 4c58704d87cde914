#include "clients/example/infer_truth.h"

#include <numeric>
#include <string>
#include <utility>

#include "clients/example/truth_rows.h"
#include "core/base/decimal.h"

namespace stepwise::example {
namespace {

Json mean_us(int64_t total_ns, size_t count) {
  return static_cast<double>(total_ns) / (1'000.0 * static_cast<double>(count));
}

/// The first iteration compiles. It is set apart wherever there are others to compare it with.
Json summarize(const InferTally& tally) {
  const std::vector<int64_t>& executions = tally.executions_ns;
  const size_t count = executions.size();
  const bool is_apart = count > 1;
  const int64_t all_ns = std::accumulate(executions.begin(), executions.end(), int64_t{0});
  const int64_t usual_ns = is_apart ? all_ns - executions.front() : all_ns;
  int64_t op_ns = 0;
  for (const auto& [key, sum] : tally.by_type) op_ns += sum.total_ns;
  return {
      {"iterations", {{"count", count}, {"first_compile_us", is_apart ? Json(ns_to_us(executions.front())) : Json()}}},
      {"h2d_us", mean_us(tally.input_copy_ns, count)},
      {"model_execute_us", mean_us(usual_ns, is_apart ? count - 1 : 1)},
      {"d2h_us", mean_us(tally.output_copy_ns, count)},
      {"op_time_us", ns_to_us(op_ns)},
      {"dynamic_shape", false}};
}

Json graph_truth(const InferGraph& graph) {
  Json repeats = Json::array();
  for (const Repeat& repeat : graph.repeats) {
    repeats.push_back({{"signature", repeat.signature}, {"length", repeat.signature.size()}, {"count", repeat.count}});
  }
  return {{"topology", {{"nodes", graph.nodes.size()}, {"edges", graph.edges()}, {"control_edges", 0}}},
          {"known", std::move(repeats)}};
}

Json device_truth(const InferTally& tally, const InferGraph& graph) {
  return {{"summarize_profile", summarize(tally)},
          {"top_operators", true_top_operators(tally.by_type, tally.by_name)},
          {"host_api", true_host_api(tally.by_api)},
          {"detect_scenario", {{"value", "inference"}}},
          {"detect_execution_mode", {{"value", "ge"}, {"proof", "model_execute"}}},
          {"repeated_subgraphs", graph_truth(graph)}};
}

}  // namespace

Json build_infer_truth(const ExampleOptions& options, const Facts& facts, const InferGraph& graph,
                       const std::vector<InferTally>& tallies) {
  Json per_rank = Json::object();
  Json ranks = Json::array(), steps = Json::array();
  for (size_t device = 0; device < tallies.size(); ++device) {
    per_rank[std::to_string(device)] = device_truth(tallies[device], graph);
    ranks.push_back(device);
  }
  for (int iteration = 1; iteration <= facts.steps; ++iteration) steps.push_back(iteration);

  Json truth = per_rank["0"];  // tools answer for the lowest rank unless told otherwise
  truth["open_profile"] = {{"kind", "msprof"},
                           {"ranks", ranks},
                           {"rank_count", ranks.size()},
                           {"steps", steps},
                           {"step_count", steps.size()}};
  truth["facts"] = {{"fields", facts.infer.fields},
                    {"dense_layers", facts.blocks},
                    {"batch_size", facts.infer.batch_size},
                    {"kernels_of_an_iteration", graph.kernels.size()}};
  truth["options"] = true_options(options);
  truth["per_rank"] = std::move(per_rank);
  return truth;
}

}  // namespace stepwise::example
