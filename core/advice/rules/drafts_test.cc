#include "core/advice/rules/drafts.h"

#include <algorithm>

#include "core/advice/rules/test_metrics.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

std::shared_ptr<const RuleBook> book() {
  std::vector<Error> faults;
  static const auto one = RuleBook::load({"skills"}, Knowledge::load({"skills/knowledge"}, faults), faults);
  return one;
}

/// A step of 1000 us of an eager training run on an NPU, half of it computing.
Json run(const Json& more) {
  Json metrics = {
      {"scenario.value", "training"},   {"mode.value", "eager"},           {"profile.hardware", "npu"},
      {"profile.framework", "pytorch"}, {"iteration.wall_avg_us", 1000.0}, {"step.computing_ratio", 0.5},
      {"op.few_kernels", false},        {"host.dispatch_bound", true},     {"stage.has_embedding_fetch", true}};
  metrics.update(more);
  return metrics;
}

std::vector<Draft> drafts_of(const Json& metrics, std::string_view lang = "en", const Places& places = {}) {
  const MetricSet set = metrics_of(metrics);
  return drafts(*book(), evaluate(*book(), set), set, lang, places, book()->measures().size());
}

std::vector<std::string> ids(const std::vector<Draft>& all) {
  std::vector<std::string> out;
  for (const Draft& one : all) out.push_back(one.measure_id);
  return out;
}

const Draft* find(const std::vector<Draft>& all, const std::string& measure) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Draft& one) { return one.measure_id == measure; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace

TEST_CASE("drafts are ranked by the share of the step that they could give back") {
  const auto all = drafts_of(run({{"problem.ai_cpu_ratio", 0.2},       // of half the step: 0.10
                                  {"problem.hf32_off_ratio", 0.3},     // of half the step: 0.15
                                  {"cluster.late_ratio", 0.11},        // of the mean step
                                  {"cluster.late_step_ratio", 0.12},   // of its own
                                  {"problem.scalar_ratio", 0.019}}));  // of half the step: 0.0095
  CHECK(ids(all) == std::vector<std::string>{"training.hf32", "training.mixed_precision", "training.rank_balance",
                                             "nn.ai_cpu_replace", "nn.tiling_key"});
  const std::vector<double> bounds{150, 150, 120, 100, 9.5};  // us, of 1000
  for (size_t i = 0; i < bounds.size(); ++i) CHECK(*all[i].gain.bound_us == Approx(bounds[i]));
  CHECK(all[0].priority == Priority::medium);
  CHECK(all[3].priority == Priority::high);
  CHECK(all[4].priority == Priority::low);
}

TEST_CASE("a draft carries its way, its place and its risk") {
  const Places places{{"hf32_off", {{"model.py", 12, "the product"}}}};
  const auto all = drafts_of(run({{"problem.hf32_off_ratio", 0.3}}), "en", places);
  const Draft& hf32 = *find(all, "training.hf32");
  CHECK(hf32.finding_id == "hf32_off");
  const Draft& mixed = *find(all, "training.mixed_precision");
  CHECK(mixed.parameters[0].name == "torch.autocast");  // of its names the one that takes these arguments
  CHECK(mixed.example == "with torch.autocast(\"npu\", dtype=torch.bfloat16):\n    loss = model(inputs)");
  CHECK(hf32.finding == "Matrix products in full single precision take 30.0 % of computing.");
  REQUIRE(hf32.parameters.size() == 1);
  CHECK(hf32.parameters[0].name == "torch_npu.npu.matmul.allow_hf32");
  CHECK(*hf32.parameters[0].value == "True");
  CHECK_FALSE(hf32.parameters[0].after_conversion);
  CHECK(hf32.example == "torch_npu.npu.matmul.allow_hf32 = True");
  CHECK(hf32.risk_kind == RiskKind::accuracy_ab);
  CHECK(hf32.hardware == "ascend");
  CHECK(hf32.is_confirmed);
  CHECK(hf32.conditions.empty());
  CHECK(hf32.trigger.metric == "problem.hf32_off_ratio");
  REQUIRE(hf32.where.size() == 2);
  CHECK(hf32.where[0].line == 12);
  CHECK(hf32.where[1].file.empty());
  CHECK(find(drafts_of(run({{"problem.hf32_off_ratio", 0.3}}), "zh"), "training.hf32")->measure ==
        "允许矩阵乘使用 HF32。");
}

TEST_CASE("the conversion to a graph comes first in eager mode, names are as code writes them") {
  const auto all = drafts_of(run({{"problem.host_wait_ratio", 0.4},
                                  {"fusion.enabled", false},
                                  {"shapes.vary", false},
                                  {"memory.headroom_bytes", 1}}));
  const Draft& fusion = *find(all, "nn.auto_fusion");
  REQUIRE(fusion.parameters.size() == 2);
  CHECK(fusion.parameters[0].name == "torch.compile");
  CHECK(fusion.parameters[0].after_conversion);
  CHECK(fusion.parameters[1].name == "npu_backend");
  CHECK(fusion.parameters[1].after_conversion);
  CHECK(fusion.example == R"(model = torch.compile(model, options={"npu_backend": "ascendc"}))");
  CHECK(find(all, "nn.task_queue")->parameters[0].value == "2");
}

TEST_CASE("what is not known makes advice possible, and takes parameters away where it is the mode") {
  Json metrics = run({{"problem.host_wait_ratio", 0.4}, {"fusion.enabled", false}});
  metrics["mode.value"] = nullptr;
  const auto all = drafts_of(metrics);
  const Draft& fusion = *find(all, "nn.auto_fusion");
  CHECK(fusion.parameters.empty());
  CHECK(fusion.example.empty());
  for (const Draft& one : all) {
    INFO(one.measure_id);
    CHECK(one.parameters.empty());
  }
  const Draft& queue = *find(all, "nn.task_queue");
  CHECK_FALSE(queue.is_confirmed);
  CHECK(queue.conditions == std::vector<std::string>{"The profile does not tell memory.headroom_bytes: check it.",
                                                     "The profile does not tell mode.value: check it."});
}

TEST_CASE("an unknown toolchain leaves the first way that may fit, as possible") {
  Json metrics = run({{"shapes.vary", true}, {"schedule.bound", true}, {"step.free_ratio", 0.3}});
  metrics["mode.value"] = "ge";
  const Draft threads = *find(drafts_of(metrics), "nn.multi_thread_dispatch");
  CHECK_FALSE(threads.is_confirmed);
  CHECK(threads.conditions == std::vector<std::string>{"The profile does not tell mode.toolchain: check it."});
  CHECK(threads.example == "export MAX_RUNTIME_CORE_NUMBER=3");
  metrics["mode.toolchain"] = "torchair";
  CHECK(find(drafts_of(metrics), "nn.multi_thread_dispatch")->is_confirmed);
  metrics["mode.toolchain"] = "atc";
  CHECK(find(drafts_of(metrics), "nn.multi_thread_dispatch")->parameters.empty());
}

TEST_CASE("static graphs get no measures of dynamic shapes") {
  Json metrics = run(
      {{"shapes.vary", false}, {"schedule.bound", true}, {"step.free_ratio", 0.3}, {"problem.host_wait_ratio", 0.3}});
  metrics["mode.value"] = "ge";
  const auto all = drafts_of(metrics);
  for (const char* id :
       {"nn.multi_thread_dispatch", "nn.core_binding", "nn.hybrid_dispatch", "nn.task_queue", "nn.static_sinking"}) {
    INFO(id);
    CHECK(find(all, id) == nullptr);
  }
}

TEST_CASE("training and inference do not cross") {
  Json metrics = run({{"instances.fit", 4},
                      {"step.busy_ratio", 0.3},
                      {"step.free_ratio", 0.7},
                      {"cores.limited", false},
                      {"prefetch.found", false},
                      {"stage.embedding_fetch_ratio", 0.3},
                      {"problem.cube_utilization_ratio", 0.5}});
  for (const char* scenario : {"training", "inference"}) {
    metrics["scenario.value"] = scenario;
    const auto all = drafts_of(metrics);
    CHECK(all.size() > 1);
    for (const Draft& one : all) {
      INFO(scenario << ": " << one.measure_id);
      CHECK_FALSE(one.measure_id.starts_with(std::string(scenario) == "training" ? "inference." : "training."));
    }
  }
}

TEST_CASE("a GPU run gets nothing of another vendor") {
  Json metrics = run({{"problem.host_wait_ratio", 0.4},
                      {"fusion.enabled", false},
                      {"comm.not_overlapped_ratio", 0.9},
                      {"comm.not_overlapped_step_ratio", 0.3},
                      {"memory.reserved_unused_ratio", 0.5}});
  metrics["profile.hardware"] = "gpu";
  const auto all = drafts_of(metrics);
  CHECK(all.size() > 3);
  for (const Draft& one : all) {
    CHECK(one.hardware != "ascend");
    CHECK(one.example.find("torch_npu") == std::string::npos);
  }
  CHECK(find(all, "memory.expandable")->parameters[0].name == "PYTORCH_CUDA_ALLOC_CONF");
}

TEST_CASE("an eager part beside captured graphs gets what is for eager") {
  Json metrics =
      run({{"host.launches_per_step", 5000.0}, {"host.launch_avg_us", 5.0}, {"step.dispatch_free_ratio", 0.4}});
  metrics["profile.hardware"] = "gpu";
  metrics["mode.value"] = "cuda_graph";
  CHECK(find(drafts_of(metrics), "nn.graph_mode") == nullptr);
  metrics["mode.has_eager_part"] = true;
  const auto all = drafts_of(metrics);
  REQUIRE(find(all, "nn.graph_mode") != nullptr);
  CHECK(find(all, "nn.graph_mode")->parameters[0].name == "torch.compile");
}

TEST_CASE("calls that block have the measure of their kind, up to the idle time") {
  Json metrics = run({{"host.blocking_idle_ratio", 0.5},
                      {"host.blocking_calls", "cudaMemcpyAsync"},
                      {"host.blocking_copy_ratio", 0.6},
                      {"host.blocking_wait_ratio", 0.2},
                      {"host.blocking_allocation_ratio", 0.2},
                      {"step.free_ratio", 0.4}});
  CHECK(find(drafts_of(metrics), "host.late_copies") == nullptr);  // of GPUs
  metrics["profile.hardware"] = "gpu";
  const auto all = drafts_of(metrics, "en", {{"host_blocks", {{"train.py", 12, "cudaMemcpyAsync in aten::copy_"}}}});
  const Draft* copies = find(all, "host.late_copies");
  REQUIRE(copies != nullptr);
  CHECK(*copies->share_ratio == Approx(0.4));
  CHECK(copies->parameters[0].name == "non_blocking");
  CHECK(copies->where[0].file == "train.py");
  CHECK(find(all, "host.late_waits") == nullptr);
  CHECK(find(all, "host.no_allocations") == nullptr);
}

TEST_CASE("what needs device memory is left out where there is none") {
  Json metrics = run({{"prefetch.found", false}, {"stage.embedding_fetch_ratio", 0.3}, {"memory.headroom_bytes", 0}});
  CHECK(find(drafts_of(metrics), "training.prefetch") == nullptr);
  metrics["memory.headroom_bytes"] = 1;
  CHECK(find(drafts_of(metrics), "training.prefetch")->is_confirmed);
  metrics["memory.headroom_bytes"] = nullptr;
  CHECK_FALSE(find(drafts_of(metrics), "training.prefetch")->is_confirmed);
}

TEST_CASE("one draft a measure, of the finding with the largest share") {
  const auto all = drafts_of(run({{"prefetch.found", false},
                                  {"stage.embedding_fetch_ratio", 0.2},
                                  {"step.free_ratio", 0.6},
                                  {"memory.headroom_bytes", 1}}));
  CHECK(std::count_if(all.begin(), all.end(), [](const Draft& one) { return one.measure_id == "training.prefetch"; }) ==
        1);
  CHECK(find(all, "training.prefetch")->finding_id == "device_idle");  // 0.6 against 0.2
}

TEST_CASE("of two measures that exclude each other the one ranked first stays") {
  // Unknown shapes: both conversions are possible, with the same share; the order of ids decides.
  const auto all = drafts_of(run({{"problem.host_wait_ratio", 0.4}}));
  CHECK(find(all, "nn.graph_mode") != nullptr);
  CHECK(find(all, "nn.static_sinking") == nullptr);
  const auto fixed = drafts_of(run({{"problem.host_wait_ratio", 0.4}, {"shapes.vary", false}}));
  CHECK(find(fixed, "nn.graph_mode") == nullptr);
  CHECK(find(fixed, "nn.static_sinking") != nullptr);
}

TEST_CASE("core control is possible where the chip is not known, several instances where the budget is not") {
  Json metrics = run({{"instances.fit", 3}, {"step.free_ratio", 0.4}});
  metrics["scenario.value"] = "inference";
  const Draft possible = *find(drafts_of(metrics), "inference.core_control");
  CHECK_FALSE(possible.is_confirmed);
  CHECK(possible.conditions == std::vector<std::string>{"The profile does not tell cores.limited: check it."});
  metrics["cores.limited"] = false;
  CHECK(find(drafts_of(metrics), "inference.core_control")->is_confirmed);
  metrics["cores.limited"] = true;  // it is done already
  CHECK(find(drafts_of(metrics), "inference.core_control") == nullptr);

  metrics = run({{"step.busy_ratio", 0.5}, {"step.free_ratio", 0.5}, {"memory.headroom_bytes", 1}});
  metrics["scenario.value"] = "inference";
  const Draft instances = *find(drafts_of(metrics), "inference.multi_instance");
  CHECK_FALSE(instances.is_confirmed);
  CHECK(instances.conditions == std::vector<std::string>{"The profile does not tell instances.fit: check it."});
  metrics["instances.fit"] = 1;
  CHECK(find(drafts_of(metrics), "inference.multi_instance") == nullptr);
}

}  // namespace stepwise::advice
