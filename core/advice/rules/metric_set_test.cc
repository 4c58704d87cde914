#include "core/advice/rules/metric_set.h"

#include "tests/catch.h"

namespace stepwise::advice {
namespace {

Json json(const char* text) { return parse_json(text).value(); }

Json value(const Answers& answers, const char* name) {
  const MetricSet metrics = MetricSet::from(answers);
  const Metric* metric = metrics.find(name);
  REQUIRE(metric != nullptr);
  return metric->value;
}

}  // namespace

TEST_CASE("metrics are the union of the answers', the summary's first, known ones before null") {
  const MetricSet metrics =
      MetricSet::from({{"comm_overlap", json(R"({"metrics": {"a": 1, "b": 2, "c": 3, "d": null}})")},
                       {"summarize_profile", json(R"({"metrics": {"a": 10, "b": null}})")},
                       {"broken", json(R"([1])")}});
  CHECK(metrics.find("a")->value == 10);
  CHECK(metrics.find("a")->tool == "summarize_profile");
  CHECK(metrics.find("b")->value == 2);
  CHECK(metrics.find("b")->tool == "comm_overlap");
  CHECK(metrics.find("c")->value == 3);
  CHECK(metrics.find("d")->value.is_null());
  CHECK(metrics.find("e") == nullptr);
}

TEST_CASE("what is undetermined is not known") {
  const Answers open{{"detect_scenario", json(R"({"value": "undetermined"})")},
                     {"detect_execution_mode", json(R"({"value": "ge", "toolchain": null})")},
                     {"open_profile", json(R"({"kind": "msprof", "framework": "unknown"})")}};
  CHECK(value(open, "scenario.value").is_null());
  CHECK(value(open, "mode.value") == "ge");
  CHECK(value(open, "mode.toolchain").is_null());
  CHECK(value(open, "profile.hardware") == "npu");
  CHECK(MetricSet::from(open).find("profile.framework") == nullptr);
  CHECK(value({{"open_profile", json(R"({"kind": "kineto"})")}}, "profile.hardware") == "gpu");
}

TEST_CASE("the summary tells shapes, fusion and cores") {
  const Answers answers{{"summarize_profile", json(R"({"shapes_vary": false, "dynamic_shape": true, "autofuse": false,
    "schedule_bound": true, "h2d_ratio": 0.2, "scenario": {"value": "training"}, "execution_mode": {"value": "eager"},
    "fusion": {"cube_with_vector": false},
    "cores": [{"core_type": "AI_CORE", "max_block_dim": 20, "chip_cores": 24, "limited": true},
              {"core_type": "AI_VECTOR_CORE", "max_block_dim": 40, "chip_cores": null, "limited": null}]})")}};
  CHECK(value(answers, "shapes.vary") == false);
  CHECK(value(answers, "shapes.dynamic") == true);
  CHECK(value(answers, "fusion.enabled") == false);
  CHECK(value(answers, "schedule.bound") == true);
  CHECK(value(answers, "model.h2d_ratio") == 0.2);
  CHECK(value(answers, "scenario.value") == "training");
  CHECK(value(answers, "mode.value") == "eager");
  CHECK(value(answers, "cores.limited") == true);
  CHECK(value(answers, "cores.cube_most") == 20);
  CHECK(value(answers, "chip.cube_cores") == 24);
  CHECK(value(answers, "chip.vector_cores").is_null());
}

TEST_CASE("operators: shares of the rows that are listed, counts per iteration") {
  const Answers answers{{"summarize_profile", json(R"({"iterations": {"count": 5}})")},
                        {"top_operators", json(R"({"operators": {"count": 100, "total_us": 1000}, "rows": [
    {"core_type": "AI_CORE", "op_type": "BatchMatMulV2", "total_us": 500},
    {"core_type": "AI_VECTOR_CORE", "op_type": "Add", "total_us": 250},
    {"core_type": "MIX_AIV", "op_type": "Cat", "total_us": 50}]})")}};
  CHECK(value(answers, "op.vector_ratio") == 0.3);  // (250 + 50) / 1000
  CHECK(value(answers, "op.matmul_ratio") == 0.5);
  CHECK(value(answers, "op.avg_us") == 10);
  CHECK(value(answers, "op.per_step") == 20);
  CHECK(value({{"top_operators", json(R"({"operators": {"count": 1, "total_us": 1}, "rows": [{"total_us": 1}]})")}},
              "op.vector_ratio")
            .is_null());  // no cores, as on GPUs
}

TEST_CASE("host calls: copies of the level that has most, gloo, and synchronisations of the step") {
  const Answers answers{{"summarize_profile", json(R"({"metrics": {"iteration.wall_avg_us": 1000}})")},
                        {"host_api", json(R"({"metrics": {"host.synchronisation_us_per_step": 250},
    "flags": [{"flag": "launches", "avg_us": 12.5}, {"flag": "synchronisations", "calls": "aten::item"}],
    "rows": [{"name": "aclrtMemcpy", "level": "acl", "per_step": 2}, {"name": "aclrtMemcpyAsync", "level": "acl", "per_step": 3},
             {"name": "MemCopySync", "level": "runtime", "per_step": 4}, {"name": "gloo:all_gather", "level": "framework", "per_step": 1}]})")}};
  CHECK(value(answers, "host.launch_avg_us") == 12.5);
  CHECK(value(answers, "host.synchronisation_calls") == "aten::item");
  CHECK(value(answers, "host.memory_copies_per_step") == 5);  // not 9: acl and runtime wrap each other
  CHECK(value(answers, "host.gloo_calls_per_step") == 1);
  CHECK(value(answers, "host.synchronisation_step_ratio") == 0.25);
  const Answers without{{"host_api", json(R"({"rows": []})")}};
  CHECK(value(without, "host.gloo_calls_per_step").is_null());  // only the longest are listed
  CHECK(value(without, "host.memory_copies_per_step").is_null());
}

TEST_CASE("stages: what side by side would save, and which waits are for a prefetch") {
  const Answers answers{{"stage_async", json(R"({"step_us": 1000,
    "pairs": [{"a": "preprocess", "a_us": 300, "b_us": 200, "overlap_us": 50},
              {"a": "update_embedding", "a_us": 100, "b_us": null, "overlap_us": null}],
    "prefetch": {"found": true, "hides_communication": false, "wait_us": 300},
    "waits": [{"kind": "result", "stage": "embedding_fetch", "ratio": 0.2}]})")}};
  CHECK(value(answers, "stage.preprocess_fetch_serial_ratio") == 0.15);  // (200 - 50) / 1000
  CHECK(value(answers, "stage.updates_serial_ratio").is_null());
  CHECK(value(answers, "prefetch.found") == true);
  CHECK(value(answers, "prefetch.hides_communication") == false);
  CHECK(value(answers, "prefetch.wait_ratio").get<double>() == Approx(0.3));  // 300 / 1000, whatever rows are listed
  const Answers without{{"stage_async", json(R"({"step_us": 1000, "waits": []})")}};
  CHECK(value(without, "prefetch.wait_ratio").is_null());
}

TEST_CASE("communication, ranks, graphs, memory and operators of one's own") {
  const Answers answers{
      {"comm_overlap",
       json(R"({"findings": {"not_hidden": {"holds": true}, "synchronization_bound": {"holds": null, "ratio": 0.4}},
    "rows": [{"stage": "backward", "dur_us": 30}, {"stage": "embedding_fetch", "dur_us": 40}, {"stage": "backward", "dur_us": 20},
             {"stage": null, "dur_us": 90}]})")},
      {"find_stragglers", json(R"({"rows": [{"cause": "idle"}, {"cause": "computing"}]})")},
      {"summarize_profile", json(R"({"op_time_us": 400})")},
      {"repeated_subgraphs", json(R"({"rows": [{"count": 16, "total_us": 100}]})")},
      {"memory",
       json(R"({"allocator": {"per_step": 3}, "peak": [{"reserved_bytes": 100, "reserved_minus_active_bytes": 25},
    {"reserved_bytes": 50, "reserved_minus_active_bytes": null}]})")},
      {"problem_operators", json(R"({"none": ["custom_op_sync"], "problems": []})")}};
  CHECK(value(answers, "comm.not_hidden") == true);
  CHECK(value(answers, "comm.synchronization_bound").is_null());
  CHECK(value(answers, "comm.synchronization_bound_ratio") == 0.4);
  CHECK(value(answers, "comm.uncovered_stage") == "backward");  // 50 us against 40
  CHECK(value(answers, "cluster.late_cause") == "idle");
  CHECK(value(answers, "graph.top_repeat_ratio") == 0.25);
  CHECK(value(answers, "graph.top_repeat_count") == 16);
  CHECK(value(answers, "memory.reserved_unused_ratio") == 0.25);
  CHECK(value(answers, "memory.allocator_calls_per_step") == 3);
  CHECK(value(answers, "problem.custom_op_sync_calls") == 0);
  CHECK(value({{"problem_operators", json(R"({"none": [], "problems": [{"problem": "custom_op_sync", "count": 7}]})")}},
              "problem.custom_op_sync_calls") == 7);
}

TEST_CASE("a step that stands out, late data or a waiting host: what dispatching could give back is not known") {
  Answers answers{{"summarize_profile", json(R"({"schedule_bound": true,
    "iterations": {"count": 4, "p50_us": 1000, "p99_us": 2000, "source": "steps"},
    "metrics": {"step.free_ratio": 0.6, "iteration.wall_avg_us": 1250}})")},
                  {"host_api", json(R"({"metrics": {"host.synchronisation_us_per_step": 400}})")},
                  {"top_operators", json(R"({"operators": {"count": 80, "total_us": 1000}, "rows": []})")}};
  CHECK(value(answers, "iteration.tail_ratio") == 2);
  CHECK(value(answers, "iteration.outlier_ratio") == 0.2);  // (1250 - 1000) / 1250
  CHECK(value(answers, "op.few_kernels") == false);         // 80 in 4 iterations
  CHECK(value(answers, "host.dispatch_bound") == true);     // 400 of 1250 is less than a third
  CHECK(value(answers, "step.dispatch_free_ratio") == 0.6);
  CHECK(value(answers, "stage.has_embedding_fetch") == false);
  answers["host_api"]["metrics"]["host.synchronisation_us_per_step"] = 417;
  CHECK(value(answers, "host.dispatch_bound") == false);
  answers["host_api"]["metrics"]["host.synchronisation_us_per_step"] = 0;
  answers["summarize_profile"]["iterations"]["p99_us"] = 2001;
  CHECK(value(answers, "host.dispatch_bound").is_null());
  CHECK(value(answers, "step.dispatch_free_ratio").is_null());
  answers["summarize_profile"]["iterations"]["p99_us"] = 2000;
  answers["stage_breakdown"] =
      json(R"({"metrics": {"stage.preprocess_ratio": 0.21, "stage.embedding_fetch_ratio": 0.1}})");
  CHECK(value(answers, "host.dispatch_bound").is_null());
  CHECK(value(answers, "stage.has_embedding_fetch") == true);
  answers["top_operators"]["operators"]["count"] = 79;
  CHECK(value(answers, "op.few_kernels") == true);
  CHECK(value(answers, "host.dispatch_bound") == false);
  answers["summarize_profile"]["iterations"] = json(R"({"count": 1, "source": "assumed"})");
  answers["top_operators"]["operators"]["count"] = 49;
  CHECK(value(answers, "op.few_kernels") == true);
  answers["top_operators"]["operators"]["count"] = 50;
  CHECK(value(answers, "op.few_kernels") == false);
}

TEST_CASE("waits of communication: a share of the step, of no weight where transfers are not told; and its kinds") {
  Answers answers{
      {"summarize_profile", json(R"({"iterations": {"count": 2}, "metrics": {"step.wall_us": 1000}})")},
      {"comm_overlap", json(R"({"ops_total": {"wait_us": 300, "wait_counts": true, "elapse_us": 1000}, "ops": [
    {"name": "hcom_batchSendRecv__1", "type": "batchSendRecv", "elapse_us": 600, "transit_us": 100, "bandwidth_gb_s": 20},
    {"name": "hcom_reduceScatter__1", "type": "reduceScatter", "elapse_us": 300, "transit_us": 100, "bandwidth_gb_s": 20}]})")}};
  CHECK(value(answers, "comm.wait_counts") == true);
  CHECK(value(answers, "comm.wait_step_ratio") == 0.15);  // 300 in 2 steps of 1000
  CHECK(value(answers, "comm.pipeline_ratio") == 0.6);
  CHECK(value(answers, "comm.largest_kind") == "pipeline");
  answers["comm_overlap"]["ops"][1]["transit_us"] = 0.0;
  CHECK(value(answers, "comm.wait_counts") == false);
  CHECK(value(answers, "comm.wait_step_ratio").is_null());
  answers["comm_overlap"]["ops"][0]["elapse_us"] = 200;
  CHECK(value(answers, "comm.largest_kind") == "reduce");
  answers["comm_overlap"]["ops"][0]["name"] = "ncclKernel_SendRecv_RING";
  answers["comm_overlap"]["ops"][0]["type"] = nullptr;
  CHECK(value(answers, "comm.pipeline_ratio") == 0);
}

TEST_CASE("what could be hidden, what waits alone take, and what ranks differ by: of this rank's own step") {
  Answers answers{{"open_profile", json(R"({"kind": "torch_npu"})")},
                  {"summarize_profile", json(R"({"iterations": {"count": 2}, "metrics": {"step.wall_us": 1000},
    "breakdown": {"bubble_us": 250, "wall_us": 1000}})")},
                  {"comm_overlap", json(R"({
    "breakdown": {"computing_us": 300, "overlapped_us": 100, "not_overlapped_us": 500, "wall_us": 1000},
    "findings": {"synchronization_bound": {"threshold": 0.95}},
    "ops_total": {"wait_us": 900, "wait_counts": true, "elapse_us": 1000}, "ops": [
    {"name": "hcom_receive__1", "type": "receive", "wait_us": 300, "wait_ratio": 0.97, "elapse_us": 310, "transit_us": 9},
    {"name": "hcom_allReduce__1", "type": "allReduce", "wait_us": 100, "wait_ratio": 0.95, "elapse_us": 106, "transit_us": 5},
    {"name": "hcom_allReduce__2", "type": "allReduce", "wait_us": 500, "wait_ratio": 0.94, "elapse_us": 532, "transit_us": 31}]})")},
                  {"find_stragglers", json(R"({"rows": [{"late_us": 50, "cause": "idle"}, {"late_us": 10}]})")},
                  {"cluster_summary", json(R"({"metrics": {"cluster.computing_imbalance_ratio": 0.2},
    "ranks_total": {"computing_median_us": 400}, "pipeline": {"uneven": true, "imbalance_ratio": 0.25, "longest_pp": 1,
    "stages": [{"pp": 0, "computing_us": 300}, {"pp": 1, "computing_us": 500}]}})")}};
  CHECK(value(answers, "comm.hideable_step_ratio") == 0.2);              // 300 - 100, less than 500
  CHECK(value(answers, "comm.synchronization_wait_step_ratio") == 0.2);  // 400 in 2 steps
  CHECK(value(answers, "comm.synchronization_pipeline_ratio") == 0.75);
  CHECK(value(answers, "comm.pipeline_step_ratio") == 0.155);
  CHECK(value(answers, "cluster.late_step_ratio") == 0.05);
  CHECK(value(answers, "cluster.computing_imbalance_step_ratio") == 0.08);
  CHECK(value(answers, "cluster.has_uneven_stages") == true);
  CHECK(value(answers, "cluster.pipeline_imbalance_step_ratio") == 0.1);  // 500 - 400 of 1000
  CHECK(value(answers, "step.bubble_ratio") == 0.25);
  answers["open_profile"] = json(R"({"kind": "kineto"})");  // there 1000 us are two steps
  CHECK(value(answers, "cluster.late_step_ratio") == 0.1);
}

TEST_CASE("what fusing could touch, what is fused already, and the worst scalar operator") {
  const Answers answers{
      {"top_operators", json(R"({"operators": {"count": 9, "total_us": 1000}, "rows": [
    {"core_type": "AI_CORE", "op_type": "MatMulV3", "total_us": 600}, {"core_type": "AI_VECTOR_CORE", "op_type": "AddRmsNorm", "total_us": 100}]})")},
      {"problem_operators",
       json(R"({"rows": [{"problem": "ai_cpu", "op_type": "Unique"}, {"problem": "scalar", "op_type": "Sort"},
    {"problem": "scalar", "op_type": "Add"}]})")}};
  CHECK(value(answers, "op.fusible_ratio") == 0.4);
  CHECK(value(answers, "op.has_fused_kernels") == true);
  CHECK(value(answers, "problem.scalar_worst") == "Sort");
}

TEST_CASE("waits of all streams give back no more than what is not computing; copies of the framework are aten::to") {
  const auto answers = [](const char* waits, const char* name) {
    return Answers{
        {"summarize_profile", json(R"({"metrics": {"step.computing_ratio": 0.2,
                                                              "iteration.wall_avg_us": 1000.0}})")},
        {"host_api",
         json((std::string(R"({"metrics": {"device.wait_ratio": )") + waits +
               R"(}, "rows": [{"level": "framework", "per_step": 3.0, "avg_us": 10.0, "name": ")" + name + "\"}]}")
                  .c_str())}};
  };
  CHECK(value(answers("14.1", "aten::to"), "device.wait_step_ratio").get<double>() == Approx(0.8));
  CHECK(value(answers("0.5", "aten::to"), "device.wait_step_ratio").get<double>() == Approx(0.1));
  CHECK(value(answers("0.5", "aten::to"), "host.copy_step_ratio").get<double>() == Approx(0.03));
  CHECK(MetricSet::from(answers("0.5", "aten::item")).find("host.copy_step_ratio") == nullptr);
}

}  // namespace stepwise::advice
