// What drafts promise at most, and which of them are given at all.
#include <algorithm>

#include "core/advice/rules/drafts.h"
#include "core/advice/rules/own_rules_test.h"
#include "core/advice/rules/test_metrics.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

std::shared_ptr<const RuleBook> book() {
  static const auto one = own_rules();
  return one;
}

/// A step of 1000 us of an eager training run on an NPU, 0.1 of it computing.
Json run(const Json& more) {
  Json metrics = {{"scenario.value", "training"},  {"mode.value", "eager"},  {"profile.hardware", "npu"},
                  {"step.wall_us", 1000.0},        {"iteration.count", 1.0}, {"step.computing_ratio", 0.1},
                  {"profile.framework", "pytorch"}};
  metrics.update(more);
  return metrics;
}

std::vector<Draft> drafts_of(const Json& metrics, size_t most = 100) {
  const MetricSet set = metrics_of(metrics);
  return drafts(*book(), evaluate(*book(), set), set, "en", {}, most);
}

const Draft* find(const std::vector<Draft>& all, const std::string& measure) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Draft& one) { return one.measure_id == measure; });
  return it == all.end() ? nullptr : &*it;
}

const Json kExposed = {{"comm.not_overlapped_ratio", 0.9},
                       {"comm.not_overlapped_step_ratio", 0.4},
                       {"comm.hideable_step_ratio", 0.07},
                       {"comm.largest_kind", "reduce"}};

}  // namespace

TEST_CASE("hiding communication gives back no more than there is room for, doing less of it the whole") {
  const auto all = drafts_of(run(kExposed));
  CHECK(*find(all, "training.async_collectives")->gain.bound_us == Approx(70));
  CHECK(*find(all, "training.async_collectives")->share_ratio == Approx(0.07));
  CHECK(*find(all, "training.gradient_accumulation")->gain.bound_us == Approx(400));
  Json open = run(kExposed);
  open["comm.hideable_step_ratio"] = nullptr;
  CHECK_FALSE(find(drafts_of(open), "training.async_collectives")->gain.bound_us);
  CHECK_FALSE(find(drafts_of(open), "training.async_collectives")->share_ratio);  // not known is not zero
}

TEST_CASE("fusing gives back nothing of matrix products") {
  const auto bound = [](const Json& fusible) {
    return find(drafts_of(run({{"graph.top_repeat_ratio", 0.9},
                               {"graph.repeated_operator_ratio", 0.9},
                               {"op.fusible_ratio", fusible}})),
                "nn.hand_fusion")
        ->gain.bound_us;
  };
  CHECK(*bound(0.2) == Approx(20));  // of 100 us of computing, 90 of them in the repeats
  CHECK_FALSE(bound(nullptr));
}

TEST_CASE("waiting is bounded by the wait") {
  const auto all = drafts_of(run({{"comm.wait_ratio", 0.99},
                                  {"comm.wait_counts", true},
                                  {"comm.wait_step_ratio", 0.03},
                                  {"comm.not_overlapped_step_ratio", 0.5}}));
  CHECK(*find(all, "training.rank_balance")->gain.bound_us == Approx(30));
  CHECK(find(drafts_of(run({{"comm.wait_ratio", 1.0}, {"comm.wait_counts", false}})), "training.rank_balance") ==
        nullptr);
}

TEST_CASE("waits of a pipeline and stages of unequal size are no matter of equal batches") {
  Json metrics = run({{"comm.synchronization_bound", true},
                      {"comm.wait_counts", true},
                      {"comm.synchronization_wait_step_ratio", 0.18},
                      {"comm.not_overlapped_step_ratio", 0.6},
                      {"comm.synchronization_pipeline_ratio", 0.4},
                      {"cluster.has_uneven_stages", false},
                      {"comm.pipeline_ratio", 0.8},
                      {"comm.pipeline_step_ratio", 0.15}});
  CHECK(*find(drafts_of(metrics), "training.rank_balance")->gain.bound_us == Approx(180));
  CHECK(*find(drafts_of(metrics), "training.pipeline_balance")->gain.bound_us == Approx(150));
  metrics["cluster.has_uneven_stages"] = true;
  CHECK(find(drafts_of(metrics), "training.rank_balance") == nullptr);
  metrics["cluster.has_uneven_stages"] = false;
  metrics["comm.synchronization_pipeline_ratio"] = 0.6;
  CHECK(find(drafts_of(metrics), "training.rank_balance") == nullptr);
}

TEST_CASE("streams that wait are bounded by their waiting, and get no measure that makes them wait more") {
  const Json metrics = run({{"device.wait_ratio", 14.1}, {"device.wait_step_ratio", 0.78}, {"step.free_ratio", 0.8}});
  const auto fired = evaluate(*book(), metrics_of(metrics)).fired;
  const auto it =
      std::find_if(fired.begin(), fired.end(), [](const Finding& one) { return one.rule->id == "device_wait"; });
  REQUIRE(it != fired.end());
  CHECK(it->share_ratio == Approx(0.78));
  CHECK(find(drafts_of(metrics), "training.fewer_synchronisations") == nullptr);
}

TEST_CASE("page-locked batches give back no more than the copies, more workers the whole of a late batch") {
  const auto all = drafts_of(run({{"stage.preprocess_ratio", 0.53}, {"host.copy_step_ratio", 0.02}}));
  REQUIRE(find(all, "training.pinned_batches") != nullptr);
  CHECK(*find(all, "training.pinned_batches")->gain.bound_us == Approx(20));
  CHECK(*find(all, "training.data_workers")->gain.bound_us == Approx(530));
  CHECK(find(all, "h2d.pinned") == nullptr);
}

TEST_CASE("shares of a GPU trace are of its span, which holds all iterations") {
  Json metrics = run(kExposed);
  metrics.update({{"profile.hardware", "gpu"}, {"step.wall_us", 13009.0}, {"iteration.wall_avg_us", 14455.0}});
  const auto bound = [&] { return *find(drafts_of(metrics), "training.gradient_accumulation")->gain.bound_us; };
  CHECK(bound() == Approx(5203.6));  // 0.4 of 13009, not of 14455
  metrics["iteration.count"] = 5.0;
  CHECK(bound() == Approx(1040.72));
  metrics["profile.hardware"] = "npu";  // its step is a mean
  CHECK(bound() == Approx(5203.6));
}

TEST_CASE("buckets and accumulation are for reductions, more micro-batches for pipelines") {
  Json metrics = run(kExposed);
  metrics["comm.overlap_ratio"] = 0;
  metrics["comm.step_ratio"] = 0.4;
  metrics["comm.pipeline_ratio"] = 0.1;
  CHECK(find(drafts_of(metrics), "training.overlap_gradients") != nullptr);
  CHECK(find(drafts_of(metrics), "training.pipeline_balance") == nullptr);
  metrics["comm.largest_kind"] = "pipeline";
  metrics["comm.pipeline_ratio"] = 0.7;
  const auto all = drafts_of(metrics);
  CHECK(find(all, "training.overlap_gradients") == nullptr);
  CHECK(find(all, "training.gradient_accumulation") == nullptr);
  CHECK(find(all, "training.pipeline_balance")->parameters.empty());
}

TEST_CASE("no measure about dispatching where it is not the cause, a possible one where nobody can tell") {
  const std::vector<const char*> dispatch{"nn.task_queue", "nn.core_binding", "nn.graph_mode"};
  Json metrics = run({{"problem.host_wait_ratio", 0.4},
                      {"step.dispatch_free_ratio", 0.5},
                      {"op.few_kernels", false},
                      {"memory.headroom_bytes", 1},
                      {"device.wait_ratio", 0.5},
                      {"step.free_ratio", 0.5},
                      {"shapes.vary", true},
                      {"host.launches_per_step", 2000},
                      {"host.launch_avg_us", 5},
                      {"schedule.bound", true},
                      {"host.dispatch_bound", true}});
  const auto yes = drafts_of(metrics);
  for (const char* id : dispatch) CHECK(find(yes, id)->is_confirmed);
  metrics["host.dispatch_bound"] = false;
  const auto no = drafts_of(metrics);
  for (const char* id : dispatch) CHECK(find(no, id) == nullptr);
  CHECK(std::none_of(no.begin(), no.end(), [](const Draft& one) { return one.finding_id == "many_launches"; }));
  metrics["host.dispatch_bound"] = nullptr;
  const auto open = drafts_of(metrics);
  for (const char* id : dispatch) CHECK_FALSE(find(open, id)->is_confirmed);
}

TEST_CASE("a step that stands out is told, and data comes before dispatching") {
  const auto all = drafts_of(run({{"iteration.tail_ratio", 4.47},
                                  {"iteration.outlier_ratio", 0.41},
                                  {"iteration.p50_us", 20453},
                                  {"iteration.p99_us", 91434},
                                  {"problem.host_wait_ratio", 0.73},
                                  {"step.free_ratio", 0.8},
                                  {"op.few_kernels", false},
                                  {"fusion.enabled", false},
                                  {"schedule.bound", true}}));
  CHECK_FALSE(find(all, "nn.auto_fusion")->is_confirmed);  // it answers kernels that wait for the host
  const Draft& workers = *find(all, "training.data_workers");
  CHECK(workers.finding_id == "steps_uneven");
  CHECK(workers.finding.find("91,400 us, the median one 20,500 us") != std::string::npos);
  CHECK(&workers < find(all, "nn.task_queue"));
  const auto& open = find(all, "nn.task_queue")->conditions;
  CHECK(std::count(open.begin(), open.end(),
                   "The slowest step takes 4.47 times as long as the median: see its data loading first.") == 1);
  CHECK_FALSE(find(all, "nn.task_queue")->is_confirmed);
}

TEST_CASE("reads of device values count where waiting for them takes a share of the step") {
  Json metrics = run({{"host.synchronisations_per_step", 50}, {"step.free_ratio", 0.5}});
  metrics["host.synchronisation_step_ratio"] = 0.04;
  CHECK(find(drafts_of(metrics), "nn.avoid_reads") == nullptr);
  metrics["host.synchronisation_step_ratio"] = 0.06;
  CHECK(find(drafts_of(metrics), "nn.avoid_reads")->is_confirmed);
}

TEST_CASE("measures that are done already, or have nothing to act on, are left out") {
  Json metrics = run({{"op.vector_ratio", 0.5},
                      {"op.avg_us", 5},
                      {"op.per_step", 500},
                      {"op.has_fused_kernels", false},
                      {"step.free_ratio", 0.3},
                      {"prefetch.found", false},
                      {"stage.has_embedding_fetch", true}});
  CHECK(find(drafts_of(metrics), "nn.affinity_operators") != nullptr);
  CHECK(find(drafts_of(metrics), "training.prefetch") != nullptr);
  metrics["op.has_fused_kernels"] = true;
  metrics["stage.has_embedding_fetch"] = false;
  CHECK(find(drafts_of(metrics), "nn.affinity_operators") == nullptr);
  CHECK(find(drafts_of(metrics), "training.prefetch") == nullptr);
}

TEST_CASE("at most so many measures a finding, confirmed ones first; none high behind a low one") {
  const Json metrics = run({{"problem.host_wait_ratio", 0.4},
                            {"step.dispatch_free_ratio", 0.5},
                            {"op.few_kernels", false},
                            {"host.dispatch_bound", true},
                            {"step.free_ratio", 0.9},
                            {"prefetch.found", false},
                            {"stage.has_embedding_fetch", true},
                            {"fusion.enabled", false}});
  const auto count = [](const std::vector<Draft>& all) {
    return std::count_if(all.begin(), all.end(), [](const Draft& one) { return one.finding_id == "host_wait"; });
  };
  const auto all = drafts_of(metrics), few = drafts_of(metrics, 2);
  CHECK(count(all) > 3);
  CHECK(count(few) == 2);
  CHECK(find(few, "nn.auto_fusion")->is_confirmed);  // the others hang on what this run does not tell
  bool is_low_seen = false;
  for (const Draft& one : all) {
    CHECK_FALSE((is_low_seen && one.priority == Priority::high));
    is_low_seen = is_low_seen || one.priority == Priority::low;
  }
  CHECK(all.front().finding_id == "device_idle");  // low, but 0.9 of the step
  CHECK(all.front().priority == Priority::medium);
}

}  // namespace stepwise::advice
