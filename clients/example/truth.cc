#include "clients/example/truth.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "clients/example/truth_links.h"
#include "clients/example/truth_rows.h"
#include "clients/example/truth_stragglers.h"
#include "core/base/decimal.h"

namespace stepwise::example {
namespace {

/// Divided once, so that the double is the one nearest to the exact mean.
Json mean_us(int64_t total_ns, size_t steps) {
  return static_cast<double>(total_ns) / static_cast<double>(1'000 * steps);
}

Json breakdown(const StepFigures& step) {
  return {{"computing_us", ns_to_us(step.computing_ns)},
          {"communication_us", ns_to_us(step.communication_ns)},
          {"overlapped_us", ns_to_us(step.overlapped_ns())},
          {"not_overlapped_us", ns_to_us(step.not_overlapped_ns)},
          {"free_us", ns_to_us(step.free_ns)},
          {"bubble_us", ns_to_us(step.bubble_ns)},
          {"stage_us", ns_to_us(step.stage_ns)}};
}

Json summarize(const Facts& facts, const Tally& tally) {
  const std::vector<StepFigures>& steps = tally.overlap.steps();
  Json per_step = Json::array();
  StepFigures sum;
  int64_t overlapped_ns = 0, host_ns = 0;
  for (const StepFigures& step : steps) {
    Json one = breakdown(step);
    one["step"] = step.number;
    one["preparing_us"] = ns_to_us(step.preparing_ns());
    one["profiler_step_us"] = ns_to_us(step.host_end_ns - step.host_start_ns);
    per_step.push_back(std::move(one));
    sum.computing_ns += step.computing_ns;
    sum.communication_ns += step.communication_ns;
    sum.not_overlapped_ns += step.not_overlapped_ns;
    sum.free_ns += step.free_ns;
    sum.bubble_ns += step.bubble_ns;
    sum.stage_ns += step.stage_ns;
    overlapped_ns += step.overlapped_ns();
    host_ns += step.host_end_ns - step.host_start_ns;
  }
  const size_t count = steps.size();
  int64_t op_ns = 0;
  for (const auto& [key, one] : tally.by_type) op_ns += one.total_ns;
  return {{"scenario", "training"},
          {"execution_mode", "eager"},
          {"dynamic_shape", facts.dynamic_kernels},
          {"shapes_vary", facts.shapes_vary && facts.steps > 1},
          {"op_time_us", ns_to_us(op_ns)},
          {"iterations",
           {{"count", count},
            {"source", "step_trace_time"},
            {"avg_us", mean_us(sum.computing_ns, count)},
            {"profiler_step_avg_us", mean_us(host_ns, count)},
            {"stage_avg_us", mean_us(sum.stage_ns, count)}}},
          {"breakdown",
           {{"computing_us", mean_us(sum.computing_ns, count)},
            {"communication_us", mean_us(sum.communication_ns, count)},
            {"overlapped_us", mean_us(overlapped_ns, count)},
            {"not_overlapped_us", mean_us(sum.not_overlapped_ns, count)},
            {"free_us", mean_us(sum.free_ns, count)},
            {"bubble_us", mean_us(sum.bubble_ns, count)},
            {"stage_us", mean_us(sum.stage_ns, count)}}},
          {"steps", std::move(per_step)}};
}

/// Time in the stage, on any thread, while no thread is in another one.
int64_t exclusive_ns(const StageTimes& times, size_t stage) {
  Intervals others;
  for (size_t other = 0; other < times.ranges.size(); ++other) {
    if (other != stage) others.insert(others.end(), times.ranges[other].begin(), times.ranges[other].end());
  }
  return times.all_threads_ns[stage] - total_ns(intersect(times.ranges[stage], unite(std::move(others))));
}

Json stage_breakdown(const Tally& tally) {
  Json per_step = Json::array();
  for (size_t i = 0; i < tally.stages.size(); ++i) {
    const StepFigures& step = tally.overlap.steps()[i];
    const StageTimes& times = tally.stages[i];
    Json rows = Json::array();
    int64_t classified_ns = 0;
    for (int stage = 0; stage < kStages; ++stage) {
      const auto slot = static_cast<size_t>(stage);
      if (times.all_threads_ns[slot] == 0) continue;
      classified_ns += times.main_ns[slot];
      rows.push_back({{"stage", stage_name(static_cast<Stage>(stage))},
                      {"wall_us", ns_to_us(times.main_ns[slot])},
                      {"exclusive_us", ns_to_us(exclusive_ns(times, slot))},
                      {"all_threads_us", ns_to_us(times.all_threads_ns[slot])}});
    }
    const int64_t wall_ns = step.host_end_ns - step.host_start_ns;
    per_step.push_back({{"step", step.number},
                        {"rows", std::move(rows)},
                        {"profiler_step_us", ns_to_us(wall_ns)},
                        {"unclassified_us", ns_to_us(wall_ns - classified_ns)}});
  }
  return {{"steps", std::move(per_step)}};
}

int64_t pair_overlap_ns(const StageTimes& times, Stage a, Stage b) {
  return total_ns(intersect(times.ranges[static_cast<size_t>(a)], times.ranges[static_cast<size_t>(b)]));
}

/// As the tools judge it: the two run beside each other in at least a twentieth of the shorter one, over all steps.
/// Short stages may hardly meet although the program starts them together.
bool is_side_by_side(const Tally& tally, Stage a, Stage b) {
  int64_t overlap_ns = 0, shorter_ns = 0;
  for (const StageTimes& times : tally.stages) {
    overlap_ns += pair_overlap_ns(times, a, b);
    shorter_ns +=
        std::min(total_ns(times.ranges[static_cast<size_t>(a)]), total_ns(times.ranges[static_cast<size_t>(b)]));
  }
  return shorter_ns > 0 && overlap_ns * 20 >= shorter_ns;
}

Json stage_async(const Facts& facts, const Tally& tally) {
  Json per_step = Json::array();
  bool blocking = false;
  for (size_t i = 0; i < tally.stages.size(); ++i) {
    const StageTimes& times = tally.stages[i];
    const StepFigures& step = tally.overlap.steps()[i];
    const int64_t wall_ns = step.host_end_ns - step.host_start_ns;
    blocking = blocking || times.result_wait_ns > 50'000'000 || times.result_wait_ns * 20 > wall_ns;
    per_step.push_back(
        {{"step", step.number},
         {"preprocess_embedding_fetch_us", ns_to_us(pair_overlap_ns(times, Stage::preprocess, Stage::embedding_fetch))},
         {"update_embedding_update_dense_us",
          ns_to_us(pair_overlap_ns(times, Stage::update_embedding, Stage::update_dense))},
         {"result_wait_us", ns_to_us(times.result_wait_ns)}});
  }
  const bool found = facts.recsys.prefetch_depth > 0;
  return {{"prefetch",
           {{"found", found},
            {"depth", facts.recsys.prefetch_depth},
            {"hides_communication", found ? Json(!blocking) : Json(nullptr)}}},
          {"preprocess_beside_fetch", is_side_by_side(tally, Stage::preprocess, Stage::embedding_fetch)},
          {"updates_side_by_side", is_side_by_side(tally, Stage::update_embedding, Stage::update_dense)},
          {"overlap_by_step", std::move(per_step)}};
}

std::string collective_type(const CollectiveRun& run) {
  // hcom_allReduce_
  constexpr size_t kBefore = std::string_view("hcom_").size();
  return run.spec->type.substr(kBefore, run.spec->type.size() - kBefore - 1);
}

Json comm_overlap(const Tally& tally) {
  struct Sum {
    int64_t count = 0, elapse_ns = 0, transit_ns = 0, wait_ns = 0, idle_ns = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  for (const CollectiveRun& run : tally.collectives) {
    Sum& sum = sums[{collective_type(run), run.communicator->hash}];
    ++sum.count;
    sum.elapse_ns += run.end_ns - run.start_ns;
    sum.transit_ns += run.transit_ns;
    sum.wait_ns += run.wait_ns;
    sum.idle_ns += run.idle_ns;
  }
  Json ops = Json::array();
  for (const auto& [key, sum] : sums) {
    ops.push_back({{"type", key.first},
                   {"group", key.second},
                   {"count", sum.count},
                   {"elapse_us", ns_to_us(sum.elapse_ns)},
                   {"transit_us", ns_to_us(sum.transit_ns)},
                   {"wait_us", ns_to_us(sum.wait_ns)},
                   {"idle_us", ns_to_us(sum.idle_ns)}});
  }
  return {{"ops", std::move(ops)}};
}

Json tables(const Tally& tally, const WrittenCounts& written, const MemorySums& memory) {
  const EventCounts& counts = tally.counts;
  const auto collectives = static_cast<int64_t>(tally.collectives.size());
  return {{"kernel", tally.kernels + collectives},
          {"step", tally.overlap.steps().size()},
          {"op_stat", tally.by_type.size()},
          {"api_stat", tally.by_api.size()},
          {"op_detail", written.operator_details_rows},
          {"comm_op", collectives},
          {"memory", 2 * memory.changes + memory.samples},
          {"memory_block", memory.blocks},
          {"module_memory", module_count() * memory.samples},
          {"host_op", counts.cpu_op},
          {"queue", counts.enqueue + counts.dequeue},
          {"python_call", counts.python_function},
          {"runtime_api", counts.cann},
          {"device_task", counts.hardware + 2 + counts.planes + counts.collectives},
          {"overlap_span", counts.overlap},
          {"counter", written.counters}};
}

/// Names of the framework's own operators prove it; a layout conversion among them leaves only the model ids.
const char* proof_of_eager(const Tally& tally) {
  const bool all = std::all_of(tally.by_name.begin(), tally.by_name.end(),
                               [](const auto& one) { return one.first.first.starts_with("aclnn"); });
  return all ? "aclnn_names" : "model_id";
}

/// written: nullptr: no text files.
Json rank_truth(const Facts& facts, const Tally& tally, const WrittenCounts* written, const MemorySums& memory) {
  Json truth{{"summarize_profile", summarize(facts, tally)},
             {"top_operators", true_top_operators(tally.by_type, tally.by_name)},
             {"host_api", true_host_api(tally.by_api)},
             {"detect_scenario", {{"value", "training"}}},
             {"detect_execution_mode", {{"value", "eager"}, {"proof", proof_of_eager(tally)}}},
             {"stage_breakdown", stage_breakdown(tally)},
             {"comm_overlap", comm_overlap(tally)}};
  truth["memory"] = {{"peak_allocated_bytes", memory.peak.allocated_bytes},
                     {"peak_reserved_bytes", memory.peak.reserved_bytes},
                     {"blocks", memory.blocks}};
  if (written != nullptr) {
    truth["describe_tables"] = tables(tally, *written, memory);
    truth["trace"] = {{"events", written->trace_events},
                      {"cpu_op", tally.counts.cpu_op},
                      {"kernels", tally.kernels},
                      {"collectives", tally.collectives.size()},
                      {"flow_events", tally.counts.flows}};
  }
  if (facts.kind == ExampleKind::recsys_train) truth["stage_async"] = stage_async(facts, tally);
  return truth;
}

Json model_facts(const Facts& facts) {
  Json all{{"world_size", facts.world_size},
           {"gradient_buckets", facts.buckets},
           {"stall_step", facts.first_step + facts.stall_step},
           {"stall_us", ns_to_us(facts.stall_ns)}};
  if (facts.kind == ExampleKind::recsys_train) {
    all["dense_layers"] = facts.blocks;
    all["embedding_tables"] = facts.recsys.tables;
    all["batch_size"] = facts.recsys.batch_size;
  } else {
    all["layers_of_a_rank"] = facts.blocks;
    all["tensor_parallel"] = facts.llm.tensor;
    all["pipeline_parallel"] = facts.llm.pipeline;
    all["data_parallel"] = facts.llm.data;
    all["micro_batches"] = facts.llm.micro_batches;
  }
  return all;
}

}  // namespace

Json build_truth(const ExampleOptions& options, const Facts& facts, const std::vector<Tally>& tallies,
                 const std::vector<WrittenCounts>& written, const std::vector<MemorySums>& memory) {
  Json per_rank = Json::object();
  Json ranks = Json::array(), steps = Json::array();
  for (size_t rank = 0; rank < tallies.size(); ++rank) {
    per_rank[std::to_string(rank)] =
        rank_truth(facts, tallies[rank], written.empty() ? nullptr : &written[rank], memory[rank]);
    ranks.push_back(rank);
  }
  for (int step = 0; step < facts.steps; ++step) steps.push_back(facts.first_step + step);

  Json truth = per_rank["0"];  // tools answer for the lowest rank unless told otherwise
  truth["open_profile"] = {{"kind", "torch_npu"},        {"framework", "pytorch"}, {"ranks", ranks},
                           {"rank_count", ranks.size()}, {"steps", steps},         {"step_count", steps.size()}};
  truth["find_stragglers"] = true_stragglers(facts, tallies);
  truth["cluster_summary"] = true_links(facts, tallies);
  truth["facts"] = model_facts(facts);
  truth["options"] = true_options(options);
  truth["per_rank"] = std::move(per_rank);
  return truth;
}

}  // namespace stepwise::example
