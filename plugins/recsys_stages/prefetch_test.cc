// Fetches that run ahead of their step, and how far.
#include "prefetch.h"

#include "test_steps.h"

using namespace recsys_stages_test;
using namespace stepwise::recsys_stages;

namespace {

Table six_steps() {
  return steps({{1, 0, 100}, {2, 100, 100}, {3, 200, 100}, {4, 300, 100}, {5, 400, 100}, {6, 500, 100}});
}

Value prefetch_of(Calls& calls, Table step_table, const char* args = "{}") {
  Host host;
  host.add(0, calls.take());
  host.add(0, std::move(step_table));
  return host.run(stage_async, args)["prefetch"];
}

// Whether one call, at that time of a step with a forward at [50, 70), is found to fetch ahead.
bool found(const char* name, int64_t tid, int64_t at_us, const char* inside = nullptr) {
  Calls calls;
  calls.add("ProfilerStep#5", kMain, 400, 100);
  if (at_us < 50) calls.add(name, tid, 400 + at_us, 5);
  calls.add("model.forward", kMain, 450, 20);
  if (at_us >= 50) {
    calls.add(name, tid, 400 + at_us, 15);
    if (inside != nullptr) calls.add(inside, tid, 401 + at_us, 10);
  }
  return *prefetch_of(calls, steps({{5, 400, 100}}))["found"].boolean();
}

}  // namespace

TEST_CASE("words of fetching ahead; waits are none") {
  for (const char* name : {"prefetch_embedding#12", "PrefetchQueue.put", "next_step_fetch", "precompute_ids"}) {
    INFO(name);
    CHECK(prefetch_word(name) == PrefetchWord::always);
  }
  for (const char* name :
       {"prepare", "## prepare_batch ##", "pipeline.fetch", "## sparse_data_dist ##", "## sdd_start ##"}) {
    INFO(name);
    CHECK(prefetch_word(name) == PrefetchWord::depends);
  }
  for (const char* name :
       {"prefetch.result", "wait_prepare", "prefetch.wait()", "sdd_wait_tensors", "aten::result_type",
        "embedding_fetch_async#3", "torch/prefetch.py(12): get", "aten::add", ""}) {
    INFO(name);
    CHECK(prefetch_word(name) == PrefetchWord::none);
  }
  CHECK(number_of_name("prefetch#12") == 12);
  CHECK(number_of_name("## prepare_step_7 ##") == 7);
  CHECK_FALSE(number_of_name("prefetch2ids"));
  CHECK_FALSE(number_of_name("prefetch#99999999999999999999"));
  CHECK_FALSE(number_of_name(""));
}

TEST_CASE("depth by the number in the name, 1 to 3") {
  for (const int64_t depth : {1, 2, 3}) {
    INFO(depth);
    Calls calls;
    for (int64_t step = 1; step <= 6; ++step) {
      const std::string name = "prefetch_embedding#" + std::to_string(step + depth);
      calls.add(name.c_str(), kPrefetch, (step - 1) * 100 + 5, 30);
    }
    const Value got = prefetch_of(calls, six_steps());
    CHECK(got["found"].boolean() == true);
    CHECK(got["depth"].integer() == depth);
    CHECK(got["event_count"].integer() == 6);
    REQUIRE(got["events"].size() == 1);
    CHECK(got["events"].at(0)["depth_from"].text() == "name");
    CHECK(got["events"].at(0)["total_us"].number() == 180.0);
    CHECK(got["events"].at(0)["on_main_thread"].integer() == 0);
    CHECK(got["hides_communication"].boolean() == true);
  }
}

TEST_CASE("what a step fetches for itself is no prefetch, whatever it is called") {
  Calls calls;
  calls.add("prefetch_embedding#1", kPrefetch, 5, 30);
  calls.add("prefetch_ids", kPrefetch, 10, 10);  // a part of it
  const Value got = prefetch_of(calls, six_steps());
  CHECK(got["found"].boolean() == false);
  CHECK(got["depth"].integer() == 0);
  CHECK(got["event_count"].integer() == 0);
  CHECK(got["hides_communication"].is_null());
  // Beside fetches that do run ahead.
  calls = Calls();
  calls.add("prefetch_embedding#1", kPrefetch, 5, 30);
  calls.add("prefetch_embedding#2", kPrefetch, 40, 30);
  CHECK(prefetch_of(calls, six_steps())["event_count"].integer() == 1);
}

TEST_CASE("the deepest fetch counts, of the steps asked for; numbers of no step say nothing") {
  const auto depth = [](const char* args) {
    Calls calls;
    calls.add("prefetch#2", kPrefetch, 10, 10);
    calls.add("prefetch#5", kPrefetch, 110, 10);  // in step 2
    calls.add("prefetch_4096", kPrefetch, 210, 10);
    return prefetch_of(calls, six_steps(), args);
  };
  CHECK(depth("{}")["depth"].integer() == 3);
  CHECK(depth(R"({"step": 1})")["depth"].integer() == 1);
  CHECK(depth(R"({"step": 3})")["found"].boolean() == true);
  CHECK(depth(R"({"step": 3})")["depth"].is_null());  // nothing takes it
  CHECK(depth(R"({"step": 4})")["found"].boolean() == false);
  CHECK(depth(R"({"step": 4})")["depth"].integer() == 0);
}

TEST_CASE("a fetch that is taken behind its step's forward is the next step's, even where the profile ends") {
  const auto depth = [](int64_t wait_us, const char* word, const char* wait, std::initializer_list<int64_t> forwards) {
    Calls calls;
    for (const int64_t at : {0, 100}) {
      calls.add("## forward ##", kMain, at + 10, 10, "user_annotation");
      calls.add(word, kMain, at + 15, 3, "user_annotation");
      if (wait_us < 60) calls.add(wait, kMain, at + wait_us, 2, "user_annotation");
      for (const int64_t forward : forwards) calls.add("## forward ##", kMain, at + forward, 5, "user_annotation");
      calls.add("## backward ##", kMain, at + 60, 10, "user_annotation");
      calls.add("## optimizer ##", kMain, at + 75, 5, "user_annotation");
      if (wait_us >= 60) calls.add(wait, kMain, at + wait_us, 2, "user_annotation");
      calls.add("aten::linear", kMain, at + 90, 5, "cpu_op");  // of metrics
    }
    return prefetch_of(calls, steps({{1, 0, 100}, {2, 100, 100}}));
  };
  Value got = depth(85, "## sparse_data_dist ##", "## wait_sparse_data_dist ##", {});
  CHECK(got["found"].boolean() == true);
  CHECK(got["depth"].integer() == 1);
  CHECK(got["events"].at(0)["count"].integer() == 2);  // the second one's forward lies behind the profile
  CHECK(got["events"].at(0)["depth"].integer() == 1);
  CHECK(got["events"].at(0)["depth_from"].text() == "order");
  CHECK(depth(85, "## sdd_preprocess_tensors ##", "sdd.wait()", {})["depth"].integer() == 1);
  CHECK(depth(30, "## sparse_data_dist ##", "## wait_sparse_data_dist ##", {})["depth"].integer() == 1);
  // A second micro-batch of the same step takes it.
  got = depth(30, "## sparse_data_dist ##", "## wait_sparse_data_dist ##", {40});
  CHECK(got["found"].boolean() == false);
  CHECK(got["depth"].integer() == 0);
}

TEST_CASE("depth by order: the k-th fetch is taken by the k-th result, 0 to 3") {
  for (const int64_t depth : {0, 1, 2, 3}) {
    INFO(depth);
    Calls calls;
    for (int64_t step = 1; step <= 6; ++step) {
      const int64_t at = (step - 1) * 100;
      // The first step fills the queue.
      for (int64_t i = 0; i < (step == 1 ? depth + 1 : 1); ++i) calls.add("prefetch_ids", kPrefetch, at + 2 + 5 * i, 4);
      calls.add("prefetch.result", kMain, at + 40, 2);
    }
    Host host;
    host.add(0, calls.take());
    host.add(0, six_steps());
    const Value answer = host.run(stage_async);
    CHECK(answer["prefetch"]["event_count"].integer() == 6 + depth);
    // Fetches before the profile would look like fetches of the step's own: the order tells nothing then.
    CHECK(answer["prefetch"]["found"].boolean() == true);
    CHECK(answer["prefetch"]["depth"].is_null() == (depth == 0));
    if (depth > 0) CHECK(answer["prefetch"]["depth"].integer() == depth);
    CHECK(warns(answer, "stages.depth_by_order") == (depth > 0));
  }
}

TEST_CASE("a distribution that begins after its step's forward is the next step's, as in TorchRec's pipeline") {
  Calls calls;
  for (int64_t step = 1; step <= 6; ++step) {
    const int64_t at = (step - 1) * 100;
    calls.add("## forward ##", kMain, at + 10, 30, "user_annotation");
    calls.add("## wait_sparse_data_dist ##", kMain, at + 12, 6, "user_annotation");
    calls.add("## sparse_data_dist ##", kMain, at + 45, 20, "user_annotation");
    calls.add("## KJTSplits wait() ##", kMain, at + 50, 5, "user_annotation");
  }
  const Value got = prefetch_of(calls, six_steps());
  CHECK(got["found"].boolean() == true);
  CHECK(got["depth"].integer() == 1);
  CHECK(got["event_count"].integer() == 6);
}

TEST_CASE("prepare and pipeline count where they are not the step's own work") {
  CHECK_FALSE(found("prepare", kMain, 10));        // before the forward: of this step
  CHECK(found("prepare", kMain, 80));              // after it began
  CHECK(found("prepare", kPrefetch, 10));          // on another thread
  CHECK_FALSE(found("prepare#5", kPrefetch, 10));  // says that it is of this step
  CHECK(found("prepare#6", kMain, 10));
  CHECK_FALSE(found("pipeline.forward", kPrefetch, 80));
  CHECK_FALSE(found("prepare_for_backward", kPrefetch, 80));
  CHECK_FALSE(found("pipeline", kPrefetch, 80, "aten::linear"));  // a whole iteration
  CHECK(found("pipeline", kPrefetch, 80, "aten::embedding"));
  CHECK(found("prefetch", kMain, 10));
}

TEST_CASE("a fetch inside a fetch is not counted again") {
  Calls calls;
  calls.add("prefetch#2", kPrefetch, 10, 50);
  calls.add("prefetch_table#3", kPrefetch, 20, 10);
  const Value got = prefetch_of(calls, six_steps());
  CHECK(got["event_count"].integer() == 1);
  CHECK(got["depth"].integer() == 1);
}
