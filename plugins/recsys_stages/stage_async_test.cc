// Stages side by side, and what the host waits for.
#include "test_steps.h"

using namespace recsys_stages_test;

namespace {

Value run_async(Calls& calls, Table step_table, const char* args = "{}") {
  Host host;
  host.add(0, calls.take());
  host.add(0, std::move(step_table));
  return host.run(stage_async, args);
}

// Preprocessing on the main thread [100, 200), a fetch of as long on another thread from there.
Value first_pair(int64_t fetch_us) {
  Calls calls;
  calls.add("data_preprocess", kMain, 100, 100);
  calls.add("embedding_fetch", kPrefetch, fetch_us, 100);
  return run_async(calls, steps({{1, 0, 1000}}))["pairs"].at(0);
}

// Of a step of that length that waits so long in a result, before its forward.
Value one_wait(int64_t step_us, int64_t wait_us, const char* stage = "embedding_fetch",
               const char* name = "prefetch.result") {
  Calls calls;
  calls.add("prefetch_embedding#2", kPrefetch, 1, 5);
  calls.add(stage, kMain, 10, wait_us + 20);
  calls.add(name, kMain, 20, wait_us);
  return run_async(calls, steps({{1, 0, step_us}}));
}

bool blocking(const Value& answer) { return *answer["waits"].at(0)["blocking"].boolean(); }

}  // namespace

TEST_CASE("a pair is serial where less than 5 % of the shorter one runs beside the other") {
  Value pair = first_pair(200);
  CHECK(pair["a"].text() == "preprocess");
  CHECK(pair["b"].text() == "embedding_fetch");
  CHECK(pair["overlap_us"].number() == 0.0);
  CHECK(pair["serial"].boolean() == true);
  pair = first_pair(196);
  CHECK(pair["overlap_us"].number() == 4.0);
  CHECK(pair["overlap_ratio"].number() == Approx(0.04));
  CHECK(pair["serial"].boolean() == true);
  pair = first_pair(195);
  CHECK(pair["overlap_ratio"].number() == Approx(0.05));
  CHECK(pair["serial"].boolean() == false);
  pair = first_pair(100);
  CHECK(pair["overlap_us"].number() == 100.0);
  CHECK(pair["serial"].boolean() == false);
  CHECK(pair["device_overlap_us"].is_null());  // nothing is known of the device
}

TEST_CASE("a step that stalls in one of a pair does not make the others' overlap small") {
  Calls calls;
  // In the first the fetch stalls; in the others the fetch is the shorter one, and runs beside the preprocessing.
  calls.add("data_preprocess", kMain, 0, 100);
  calls.add("embedding_fetch", kPrefetch, 96, 900);  // 4 of 100
  for (const int64_t at : {1000, 2000}) {
    calls.add("data_preprocess", kMain, at, 100);
    calls.add("embedding_fetch", kPrefetch, at + 96, 40);  // 4 of 40
  }
  // Nothing is to be had where one of them is not there.
  calls.add("data_preprocess", kMain, 3000, 500);
  const Value pair =
      run_async(calls, steps({{1, 0, 1000}, {2, 1000, 1000}, {3, 2000, 1000}, {4, 3000, 1000}}))["pairs"].at(0);
  CHECK(pair["overlap_ratio"].number() == Approx(12.0 / 180));
  CHECK(pair["serial"].boolean() == false);
}

TEST_CASE("pairs over several steps: means of the steps, the ratio of the sums") {
  Calls calls;
  calls.add("update_embedding", kPrefetch, 10, 40);
  calls.add("update_dense", kMain, 30, 100);  // 20 beside it
  calls.add("update_embedding", kPrefetch, 210, 40);
  calls.add("update_dense", kMain, 250, 100);  // none
  const Table table = steps({{1, 0, 200}, {2, 200, 200}});
  Host host;
  host.add(0, calls.take());
  host.add(0, table);
  Value pair = host.run(stage_async)["pairs"].at(1);
  CHECK(pair["a_us"].number() == 40.0);
  CHECK(pair["b_us"].number() == 100.0);
  CHECK(pair["overlap_us"].number() == 10.0);
  CHECK(pair["overlap_ratio"].number() == Approx(20.0 / 80));
  pair = host.run(stage_async, R"({"step": 2})")["pairs"].at(1);
  CHECK(pair["overlap_us"].number() == 0.0);
  CHECK(pair["serial"].boolean() == true);
}

TEST_CASE("a pair of which one is not there overlaps nothing that one could know") {
  Calls calls;
  calls.add("data_preprocess", kMain, 100, 100);
  calls.add("aten::linear", kMain, 300, 100);
  const Value answer = run_async(calls, steps({{1, 0, 1000}}));
  const Value pair = answer["pairs"].at(0);
  CHECK(pair["a_us"].number() == 100.0);
  for (const char* key : {"b_us", "overlap_us", "overlap_ratio", "device_overlap_us", "serial"}) {
    INFO(key);
    CHECK(pair[key].is_null());
  }
  CHECK(answer["prefetch"]["found"].boolean() == false);
  CHECK(answer["prefetch"]["depth"].integer() == 0);
  CHECK(answer["prefetch"]["hides_communication"].is_null());
  CHECK(answer["waits"].size() == 0);
}

TEST_CASE("both of a pair on one thread beside the main one is said") {
  const auto both_on = [](int64_t tid) {
    Calls calls;
    calls.add("data_preprocess", tid, 100, 100);
    calls.add("embedding_fetch", tid, 200, 100);
    calls.add("acl_memcpy_host_to_device", kMain, 500, 20);  // the smaller part
    return run_async(calls, steps({{1, 0, 1000}}));
  };
  const Value there = both_on(kPrefetch), here = both_on(kMain);
  CHECK(there["pairs"].at(0)["one_prefetch_thread"].boolean() == true);
  CHECK(warns(there, "stages.one_prefetch_thread"));
  CHECK(here["pairs"].at(0)["one_prefetch_thread"].boolean() == false);
  CHECK_FALSE(warns(here, "stages.one_prefetch_thread"));
}

TEST_CASE("device work of a pair overlaps where what they launched does, whenever it was launched") {
  Calls calls;
  const int64_t embedding = calls.add("update_embedding", kMain, 100, 50);
  const int64_t dense = calls.add("update_dense", kMain, 150, 50);
  Table kernels(kernel::kTable, "trace.json"), links(kernel_link::kTable, "trace.json");
  int64_t id = 0;
  for (const auto& [host_row, start_us, dur_us] :
       {std::array<int64_t, 3>{embedding, 300, 100}, {dense, 370, 50}, {dense, 390, 60}}) {
    kernels.row()
        .set(kernel::name, "k")
        .set(kernel::class_, "compute")
        .set(kernel::start_ns, start_us * kUs)
        .set(kernel::dur_ns, dur_us * kUs);
    links.row().set(kernel_link::kernel_id, id++).set(kernel_link::host_op_id, host_row).set(kernel_link::how, "flow");
  }
  Host host;
  host.add(0, calls.take());
  host.add(0, steps({{1, 0, 1000}}));
  host.add(0, std::move(kernels));
  host.add(0, std::move(links));
  const Value pair = host.run(stage_async)["pairs"].at(1);
  CHECK(pair["overlap_us"].number() == 0.0);
  CHECK(pair["device_overlap_us"].number() == 30.0);  // [370, 400)
}

TEST_CASE("a wait blocks above 50 ms or 5 % of the step, and then prefetch does not hide what it waits for") {
  CHECK(blocking(one_wait(1000, 51)));
  CHECK_FALSE(blocking(one_wait(1000, 50)));
  CHECK(blocking(one_wait(10'000'000, 50'001)));
  CHECK_FALSE(blocking(one_wait(10'000'000, 50'000)));
  CHECK(one_wait(1000, 51)["prefetch"]["hides_communication"].boolean() == false);
  CHECK(one_wait(1000, 50)["prefetch"]["hides_communication"].boolean() == true);
  // Waits for gradients and for the device are no waits for a fetch.
  CHECK(one_wait(1000, 200, "loss.backward", "work.wait()")["prefetch"]["hides_communication"].boolean() == true);
  CHECK(one_wait(1000, 200, "embedding_fetch", "aten::item")["prefetch"]["hides_communication"].boolean() == true);
}

TEST_CASE("what a fetch on the main thread waits for is not hidden; what another thread waits for is") {
  const auto fetch_that_copies = [](int64_t tid, int64_t wait_us) {
    Calls calls;
    calls.add("prefetch_embedding#2", tid, 100, 400);
    Table driver(runtime_api::kTable, "trace.json");
    driver.row()
        .set(runtime_api::name, "cudaMemcpyAsync")
        .set(runtime_api::start_ns, 110 * kUs)
        .set(runtime_api::dur_ns, wait_us * kUs)
        .set(runtime_api::pid, 7)
        .set(runtime_api::tid, tid);
    Host host;
    host.add(0, calls.take());
    host.add(0, steps({{1, 0, 25'000}}));
    host.add(0, std::move(driver));
    return host.run(stage_async)["prefetch"];
  };
  CHECK(fetch_that_copies(kMain, 1'251)["hides_communication"].boolean() == false);
  CHECK(fetch_that_copies(kMain, 1'251)["wait_us"].number() == 1'251.0);
  CHECK(fetch_that_copies(kMain, 1'250)["hides_communication"].boolean() == true);
  CHECK(fetch_that_copies(kPrefetch, 1'251)["hides_communication"].boolean() == true);
  CHECK(fetch_that_copies(kPrefetch, 1'251)["wait_us"].number() == 0.0);
}

TEST_CASE("waits for what was fetched count together, whatever their names are") {
  Calls calls;
  calls.add("prefetch_embedding#2", kPrefetch, 1, 5);
  calls.add("embedding_fetch", kMain, 10, 200);
  calls.add("prefetch.result", kMain, 20, 30);
  calls.add("ids.result", kMain, 60, 21);
  const Value prefetch = run_async(calls, steps({{1, 0, 1000}}))["prefetch"];
  CHECK(prefetch["hides_communication"].boolean() == false);
  CHECK(prefetch["wait_us"].number() == 51.0);
}

TEST_CASE("waits by name and stage: their sum in one step decides; result_type is none") {
  Calls calls;
  calls.add("embedding_fetch", kMain, 0, 100);
  calls.add("prefetch.result", kMain, 10, 30);
  calls.add("prefetch.result", kMain, 50, 21);  // 51 of 1000 together
  calls.add("aten::result_type", kMain, 80, 15);
  calls.add("aten::item", kMain, 200, 40);
  calls.add("aten::item", kMain, 1300, 40);
  const Value waits = run_async(calls, steps({{1, 0, 1000}, {2, 1000, 1000}}))["waits"];
  REQUIRE(waits.size() == 2);
  CHECK(waits.at(0)["name"].text() == "aten::item");
  CHECK(waits.at(0)["kind"].text() == "synchronization");
  CHECK(waits.at(0)["count"].integer() == 2);
  CHECK(waits.at(0)["total_us"].number() == 80.0);
  CHECK(waits.at(0)["ratio"].number() == Approx(0.04));
  CHECK(waits.at(0)["blocking"].boolean() == false);  // 40 in each step
  CHECK(waits.at(1)["name"].text() == "prefetch.result");
  CHECK(waits.at(1)["stage"].text() == "embedding_fetch");
  CHECK(waits.at(1)["kind"].text() == "result");
  CHECK(waits.at(1)["max_us"].number() == 30.0);
  CHECK(waits.at(1)["blocking"].boolean() == true);
}

TEST_CASE("a cancelled call is no failure, wherever it is cancelled") {
  for (uint64_t looks = 0; looks < 12; ++looks) {
    Calls calls;
    one_step(calls);
    Host host;
    host.add(0, calls.take());
    host.add(0, steps({{3, 0, 1000}}));
    host.cancel_after(looks);
    host.run(stage_async);
    CHECK_FALSE(host.failure());
    host.cancel_after(looks);
    host.run(recsys_stages::ir_tree);
    CHECK_FALSE(host.failure());
  }
}

TEST_CASE("limit: how many waits are listed; the others are summed") {
  Calls calls;
  calls.add("wait_a", kMain, 0, 10);
  calls.add("wait_b", kMain, 20, 30);
  calls.add("wait_c", kMain, 60, 20);
  const Value answer = run_async(calls, steps({{1, 0, 1000}}), R"({"limit": 1})");
  REQUIRE(answer["waits"].size() == 1);
  CHECK(answer["waits"].at(0)["name"].text() == "wait_b");
  CHECK(answer["waits_other"].to_json() == R"({"count":2,"total_us":30.0})");
}
