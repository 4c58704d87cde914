#include "test_steps.h"

using namespace recsys_stages_test;

TEST_CASE("the outermost call that a keyword classifies decides; stages and the rest add up to the step") {
  Calls calls;
  one_step(calls);
  const Value answer = run(calls, steps({{3, 0, 1000}}));
  CHECK(answer["window"].text() == "step 3, as ProfilerStep on the host");
  CHECK(us(answer, "preprocess", "wall_us") == 100);
  CHECK(us(answer, "embedding_fetch", "wall_us") == 50);
  CHECK(us(answer, "forward", "wall_us") == 200);
  CHECK(us(answer, "backward", "wall_us") == 300);
  CHECK(us(answer, "update_embedding", "wall_us") == 60);
  CHECK(us(answer, "update_dense", "wall_us") == 140);
  CHECK(us(answer, "forward", "ratio") == Approx(0.2));
  CHECK(answer["unclassified_us"].number() == 150.0);
  CHECK(answer["coverage_ratio"].number() == Approx(0.85));
  CHECK(answer["unclassified"]["no_call_us"].number() == 70.0);
  CHECK(answer["unclassified"]["calls"].at(0)["name"].text() == "aten::item");
  CHECK(answer["unclassified"]["calls"].at(0)["us"].number() == 80.0);
  CHECK(answer["rows"].at(0)["stage"].text() == "backward");  // most first
  CHECK(answer["rows"].size() == 6);
  CHECK(answer["metrics"]["stage.forward_ratio"].number() == Approx(0.2));
  CHECK(answer["metrics"]["stage.coverage_ratio"].number() == Approx(0.85));
  CHECK(row_of(answer, "forward")["device_us"].is_null());  // nothing is known of the device
  CHECK(answer["missing"].size() == 2);
}

TEST_CASE("absent stages are absent, and one on another thread alone has no wall time") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 100);
  calls.add("aten::linear", kMain, 10, 20);
  calls.add("AddmmBackward0", kBackward, 40, 30);
  const Value answer = run(calls, steps({{1, 0, 100}}));
  CHECK(answer["rows"].size() == 2);
  CHECK(row_of(answer, "update_dense").is_absent());
  CHECK(answer["metrics"]["stage.update_dense_ratio"].is_absent());
  CHECK(us(answer, "backward", "wall_us") == 0);
  CHECK(us(answer, "backward", "all_threads_us") == 30);
  CHECK(answer["unclassified_us"].number() == 80.0);
  CHECK_FALSE(warns(answer, "stages.no_training"));
  CHECK(warns(answer, "stages.low_coverage"));
}

TEST_CASE("threads: unions over all, and time that no other stage shares") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 1000);
  calls.add("loss.backward", kMain, 100, 300);             // [100, 400)
  calls.add("prefetch_embedding#2", kPrefetch, 150, 400);  // [150, 550), the main thread's backward beside it
  calls.add("AddmmBackward0", kBackward, 350, 100);        // [350, 450)
  calls.add("EmbeddingBackward0", kBackward, 460, 40);     // [460, 500)
  calls.add("embedding_fetch", kMain, 900, 50);            // [900, 950)
  const Value answer = run(calls, steps({{1, 0, 1000}}));
  CHECK(us(answer, "backward", "all_threads_us") == 350);  // [100, 450)
  CHECK(us(answer, "backward", "exclusive_us") == 50);     // [100, 150)
  CHECK(us(answer, "embedding_fetch", "wall_us") == 50);
  CHECK(us(answer, "embedding_fetch", "all_threads_us") == 450);  // 400 + 50
  CHECK(us(answer, "embedding_fetch", "exclusive_us") == 110);    // [450, 460), [500, 550), [900, 950)
  CHECK(us(answer, "update_embedding", "all_threads_us") == 40);
  CHECK(us(answer, "update_embedding", "exclusive_us") == 0);
  CHECK(us(answer, "update_embedding", "wall_us") == 0);
}

TEST_CASE("an explicit range decides first, about what it encloses and inside an operator") {
  const auto add = [](Calls& calls, const char* category) {
    calls.add("ProfilerStep#1", kMain, 0, 1000, category);
    calls.add("autograd::engine::evaluate_function: X", kMain, 100, 400);  // an operator of backward...
    calls.add("embedding_exchange", kMain, 200, 100, category);            // ...with a range inside
    calls.add("AddmmBackward0", kMain, 210, 50);                           // which decides about this
  };
  Calls told, untold;
  add(told, "user_annotation");
  Value answer = run(told, steps({{1, 0, 1000}}));
  CHECK(us(answer, "backward", "wall_us") == 300);
  CHECK(us(answer, "embedding_fetch", "wall_us") == 100);
  CHECK(answer["unclassified_us"].number() == 600.0);

  add(untold, "cpu_op");
  answer = run(untold, steps({{1, 0, 1000}}));
  CHECK(us(answer, "backward", "wall_us") == 400);
  CHECK(answer["rows"].size() == 1);
}

TEST_CASE("a range that says nothing leaves the decision to what it encloses") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 1000, "user_annotation");
  calls.add("train_step", kMain, 0, 1000, "user_annotation");
  calls.add("## forward ##", kMain, 100, 300, "user_annotation");
  calls.add("## RecMetricModule:update ##", kMain, 500, 100, "user_annotation");
  const Value answer = run(calls, steps({{1, 0, 1000}}));
  CHECK(us(answer, "forward", "wall_us") == 300);
  CHECK(answer["unclassified_us"].number() == 700.0);
  CHECK(answer["unclassified"]["calls"].at(0)["name"].text() == "train_step");
  CHECK(answer["unclassified"]["calls"].at(0)["us"].number() == 700.0);
  CHECK(answer["unclassified"]["no_call_us"].number() == 0.0);
}

TEST_CASE("collectives: of the call that launched them, else by where in the step they stand") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 1000);
  calls.add("c10d::alltoall_base_", kMain, 10, 20);  // before the backward: embedding_fetch
  calls.add("model.forward", kMain, 100, 100);
  calls.add("c10d::alltoall_base_", kMain, 120, 20);  // of forward
  calls.add("AddmmBackward0", kBackward, 300, 100);
  calls.add("c10d::allreduce_", kBackward, 410, 30);  // backward
  calls.add("c10d::alltoall_base_", kMain, 500, 40);  // after the backward began: update_embedding
  calls.add("record_param_comms", kMain, 505, 30);
  calls.add("c10d::_allgather_base_", kMain, 600, 50);  // update_dense
  calls.add("c10d::broadcast_", kMain, 700, 50);        // no stage
  const Value answer = run(calls, steps({{1, 0, 1000}}));
  CHECK(us(answer, "embedding_fetch", "wall_us") == 20);
  CHECK(us(answer, "forward", "wall_us") == 100);
  CHECK(us(answer, "backward", "all_threads_us") == 130);
  CHECK(us(answer, "update_embedding", "wall_us") == 40);
  CHECK(us(answer, "update_dense", "wall_us") == 50);
  CHECK(answer["unclassified_us"].number() == 790.0);
}

TEST_CASE("a call belongs whole to the step in which it starts; the main thread's is cut at the step's end") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 100);
  calls.add("prefetch_embedding#2", kPrefetch, 80, 40);  // [80, 120)
  calls.add("aten::linear", kMain, 90, 11);              // rounding: 1 us past the step's end
  calls.add("ProfilerStep#2", kMain, 110, 100);
  calls.add("aten::linear", kMain, 120, 20);
  calls.add("outside", kMain, 300, 5);
  calls.add("aten::linear", kMain, 310, 5);  // after the last step: of none
  const Table both = steps({{1, 0, 100}, {2, 110, 100}});
  Host host;
  host.add(0, calls.take());
  host.add(0, both);
  Value answer = host.run(stage_breakdown, R"({"step": 1})");
  CHECK(us(answer, "embedding_fetch", "all_threads_us") == 40);
  CHECK(us(answer, "forward", "wall_us") == 10);
  CHECK(us(answer, "forward", "all_threads_us") == 11);
  CHECK(answer["unclassified_us"].number() == 90.0);
  answer = host.run(stage_breakdown, R"({"step": 2})");
  CHECK(row_of(answer, "embedding_fetch").is_absent());
  CHECK(us(answer, "forward", "wall_us") == 20);

  answer = host.run(stage_breakdown);
  CHECK(answer["window"].text() == "mean of 2 steps (1, 2), each as ProfilerStep on the host");
  CHECK(us(answer, "forward", "wall_us") == 15);
  CHECK(us(answer, "embedding_fetch", "all_threads_us") == 20);
  CHECK(us(answer, "forward", "ratio") == Approx(30.0 / 200));
  CHECK(answer["step_us"].number() == 100.0);
  CHECK(answer["tree_step"].integer() == 1);

  host.run(stage_breakdown, R"({"step": 9})");
  REQUIRE(host.failure());
  CHECK(host.failure()->code == "step.unknown");
  CHECK(host.failure()->hint == "It has: 1, 2.");
}

TEST_CASE("without steps the whole span is one window, and the answer says so") {
  Calls calls;
  calls.add("AddmmBackward0", kBackward, 100, 500);
  calls.add("model.forward", kMain, 150, 50);  // thread 7 of process 7 is the main one
  calls.add("aten::item", kMain, 300, 0);
  Host host;
  host.add(0, calls.take());
  const Value answer = host.run(stage_breakdown);
  CHECK(warns(answer, "stages.no_steps"));
  CHECK(answer["step_us"].number() == 500.0);
  CHECK(us(answer, "forward", "wall_us") == 50);
  CHECK(us(answer, "backward", "all_threads_us") == 500);
  CHECK(answer["tree_step"].is_null());
  CHECK(answer["tree"].at(0)["name"].text() == "all calls");
  host.run(stage_breakdown, R"({"step": 1})");
  REQUIRE(host.failure());
  CHECK(host.failure()->code == "step.unknown");
}

TEST_CASE("waits: nested ones once, in their stage, blocking above 5 % of the step or 50 ms") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 1000);
  calls.add("data_preprocess", kMain, 100, 300);
  calls.add("aten::item", kMain, 110, 60);                 // 60 > 5 % of 1000
  calls.add("aten::_local_scalar_dense", kMain, 112, 50);  // inside it
  calls.add("model.forward", kMain, 500, 100);
  calls.add("AddmmBackward0", kBackward, 700, 50);
  constexpr const char* kSynchronize = "AscendCL@aclrtSynchronizeStream";
  Table driver(runtime_api::kTable, "trace_view.json");
  const auto add = [&driver](const char* name, int64_t tid, int64_t start_us, int64_t dur_us) {
    driver.row()
        .set(runtime_api::name, name)
        .set(runtime_api::pid, 555)  // drivers have a process of their own in the trace
        .set(runtime_api::tid, tid)
        .set(runtime_api::start_ns, start_us * kUs)
        .set(runtime_api::dur_ns, dur_us * kUs);
  };
  add(kSynchronize, kMain, 115, 40);      // inside the item
  add(kSynchronize, kMain, 510, 50);      // forward: exactly 5 %, not above
  add(kSynchronize, kBackward, 710, 20);  // backward
  add(kSynchronize, kMain, 900, 90);      // no stage
  add(kSynchronize, kBackward, 950, 10);  // another thread's: of no step
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 1000}}));
  host.add(0, std::move(driver));
  const Value answer = host.run(stage_breakdown);
  CHECK(us(answer, "preprocess", "wait_us") == 60);
  CHECK(row_of(answer, "preprocess")["blocking"].boolean() == true);
  CHECK(row_of(answer, "preprocess")["waits"].size() == 1);
  CHECK(row_of(answer, "preprocess")["waits"].at(0)["name"].text() == "aten::item");
  CHECK(us(answer, "forward", "wait_us") == 50);
  CHECK(row_of(answer, "forward")["blocking"].boolean() == false);
  CHECK(us(answer, "backward", "wait_us") == 20);
  CHECK(answer["unclassified"]["wait_us"].number() == 90.0);
  CHECK(answer["unclassified"]["blocking"].boolean() == true);
}

TEST_CASE("a copy of the driver waits where it takes the host at least 1 ms") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 100'000);
  calls.add("data_preprocess", kMain, 0, 50'000);
  Table driver(runtime_api::kTable, "trace.json");
  for (const auto& [start_us, dur_us] : {std::pair<int64_t, int64_t>{10, 6'000}, {10'000, 999}, {20'000, 1'000}}) {
    driver.row()
        .set(runtime_api::name, "cudaMemcpyAsync")
        .set(runtime_api::tid, kMain)
        .set(runtime_api::start_ns, start_us * kUs)
        .set(runtime_api::dur_ns, dur_us * kUs);
  }
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 100'000}}));
  host.add(0, std::move(driver));
  const Value answer = host.run(stage_breakdown);
  CHECK(us(answer, "preprocess", "wait_us") == 7'000);
  CHECK(row_of(answer, "preprocess")["blocking"].boolean() == true);
}

TEST_CASE("the tree: time order, equal siblings in sequence merged, small ones left out") {
  Calls calls;
  calls.add("ProfilerStep#4", kMain, 1000, 1000);
  calls.add("model.forward", kMain, 1100, 500);
  calls.add("aten::addmm", kMain, 1110, 100);
  calls.add("inner", kMain, 1120, 50);
  calls.add("aten::addmm", kMain, 1210, 200);
  calls.add("tiny", kMain, 1420, 2);
  calls.add("tiny", kMain, 1430, 3);
  calls.add("aten::relu", kMain, 1450, 20);
  calls.add("zero_grad", kMain, 1700, 1);  // small, but it decides a stage
  calls.add("AddmmBackward0", kBackward, 1720, 30);
  calls.add("log", kPrefetch, 1720, 30);  // in no stage: not in the tree
  const Value answer = run(calls, steps({{4, 1000, 1000}}));
  const Value tree = answer["tree"];
  REQUIRE(tree.size() == 2);
  const Value root = tree.at(0);
  CHECK(root["name"].text() == "ProfilerStep#4");
  CHECK(root["us"].number() == 1000.0);
  REQUIRE(root["children"].size() == 2);
  const Value forward = root["children"].at(0);
  CHECK(forward["name"].text() == "model.forward");
  CHECK(forward["stage"].text() == "forward");
  CHECK(forward["offset_us"].number() == 100.0);
  CHECK(forward["ratio"].number() == 0.5);
  REQUIRE(forward["children"].size() == 2);
  const Value addmm = forward["children"].at(0);
  CHECK(addmm["count"].integer() == 2);
  CHECK(addmm["us"].number() == 300.0);
  CHECK(addmm["max_us"].number() == 200.0);
  CHECK(addmm["children"].at(0)["name"].text() == "inner");
  CHECK(forward["left_out"]["count"].integer() == 2);
  CHECK(forward["left_out"]["us"].number() == 5.0);
  CHECK(forward["left_out"]["mostly"].text() == "tiny");
  CHECK(root["children"].at(1)["name"].text() == "zero_grad");
  CHECK(root["stage"].is_absent());
  CHECK(tree.at(1)["name"].text() == "thread 8");
  CHECK(tree.at(1)["stage"].text() == "backward");
  CHECK(tree.at(1)["children"].at(0)["stage"].text() == "backward");

  Calls again;
  again.add("ProfilerStep#4", kMain, 1000, 1000);
  again.add("model.forward", kMain, 1100, 500);
  again.add("aten::addmm", kMain, 1110, 100);
  const Value shallow = run(again, steps({{4, 1000, 1000}}), R"({"depth": 1})");
  const Value only = shallow["tree"].at(0)["children"].at(0);
  CHECK(only["children"].is_absent());
  CHECK(only["left_out"]["count"].integer() == 1);
}

TEST_CASE("inference, nothing to go by, and no host calls are said") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 100);
  calls.add("model.forward", kMain, 10, 80);
  CHECK(warns(run(calls, steps({{1, 0, 100}})), "stages.no_training"));

  Calls other;
  other.add("aten::copy_", kMain, 10, 80);
  const Value nothing = run(other, steps({{1, 0, 100}}));
  CHECK(warns(nothing, "stages.none"));
  CHECK(nothing["rows"].size() == 0);
  CHECK(nothing["coverage_ratio"].number() == 0.0);

  Calls none;
  CHECK(run(none, steps({{1, 0, 100}}))["status"].text() == "not_applicable");
}

TEST_CASE("a step that takes more than 5 times the mean of the others is pointed at") {
  Calls calls;
  calls.add("aten::linear", kMain, 0, 10);
  calls.add("aten::linear", kMain, 100, 10);
  const Value answer = run(calls, steps({{1, 0, 100}, {2, 100, 100}, {3, 200, 501}}));
  CHECK(warns(answer, "steps.one_stands_out"));
  CHECK(answer["next"].at(0)["arguments"]["step"].integer() == 3);
  CHECK(answer["tree_step"].integer() == 2);  // the median of 100, 100 and 501
}

TEST_CASE("a stage that is mostly in one of the steps is said to be no typical step's") {
  const auto with_last = [](int64_t last_ns) {
    Calls calls;
    for (const int64_t at : {0, 100, 200, 300}) calls.add("data_preprocess", kMain, at, at == 300 ? last_ns : 10);
    return run(calls, steps({{1, 0, 100}, {2, 100, 100}, {3, 200, 100}, {4, 300, 100}}));
  };
  CHECK_FALSE(warns(with_last(30), "stages.one_step"));  // half of the 60
  const Value uneven = with_last(31);
  REQUIRE(warns(uneven, "stages.one_step"));
  for (size_t i = 0; i < uneven["warnings"].size(); ++i) {
    if (uneven["warnings"].at(i)["code"].text() != "stages.one_step") continue;
    CHECK(*uneven["warnings"].at(i)["text"].text() ==
          "31.000 us of the 61.000 us of preprocess in 4 steps are in step 4: its mean and its share are no typical "
          "step's.");
  }
}

TEST_CASE("tables that make no sense are no danger") {
  Table table(host_op::kTable, "trace_view.json");
  for (const int64_t parent : {int64_t{5}, int64_t{-3}, int64_t{2}, INT64_MAX}) {
    table.row()
        .set(host_op::name, "forward")
        .set(host_op::start_ns, 10)
        .set(host_op::dur_ns, 5)
        .set(host_op::parent_id, parent);
  }
  Host host;
  host.add(0, std::move(table));
  host.add(0, steps({{1, 0, 0}}));
  CHECK(host.run(stage_breakdown)["rows"].size() == 0);  // a step without time holds nothing

  Calls calls;
  one_step(calls);
  Host cancelled;
  cancelled.add(0, calls.take());
  cancelled.add(0, steps({{3, 0, 1000}}));
  for (uint64_t looks = 0; looks < 12; ++looks) {
    cancelled.cancel_after(looks);
    cancelled.run(stage_breakdown);
    CHECK_FALSE(cancelled.failure());
  }
}
