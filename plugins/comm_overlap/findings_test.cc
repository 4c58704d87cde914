// Stages of spans, sources of waiting, and findings on both sides of their thresholds.
#include "comm_overlap.h"
#include "test_tables.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::comm_overlap::testing;
namespace host_op = stepwise::table::host_op;

namespace {

constexpr sdk::ToolFunction kTool = stepwise::comm_overlap::comm_overlap;

std::string arguments(const char* more = "") {
  return std::string(R"({"all_ranks": [0], )") + more +
         R"("profile": {"kind": "torch_npu", "origin_ns": "0", "declare": {}}})";
}

void add_host_call(sdk::testing::Host& host) {
  sdk::testing::Table calls(host_op::kTable, "trace_view.json");
  calls.row().set(host_op::name, "forward").set(host_op::start_ns, 0).set(host_op::dur_ns, 10);
  host.add(0, std::move(calls));
}

bool holds(const sdk::Value& answer, const char* finding) { return *answer["findings"][finding]["holds"].boolean(); }

/// 1000 us of computing beside which the device waits so long.
sdk::Value with_device_waits(const char* wait_us) {
  sdk::testing::Host host;
  host.add(0, spans({{"Computing", 0, 1'000'000}, {"Communication", 500'000, 1'000'000}}));
  add_host_call(host);
  host.answer("stage_alignment",
              std::string(R"({"how": "launch", "stages": [], "sync_sources": [], "device_wait_us": )") + wait_us + "}");
  return host.run(kTool, arguments());
}

sdk::Value with_operation(int64_t transit_ns, int64_t wait_ns) {
  sdk::testing::Host host;
  host.add(0, operations({{1, "hcom_alltoall__1", "g", transit_ns, wait_ns, 100},
                          {1, "hcom_allReduce__2", "g", 400'000, 100'000, 0}}));
  return host.run(kTool, arguments());
}

}  // namespace

TEST_CASE("spans take their stages from the tool for stages; sources of waiting are listed as it tells them") {
  sdk::testing::Host host;
  host.add(0, spans({{"Computing", 1000, 3000},
                     {"Communication", 2000, 5000},
                     {"Computing", 5000, 6000},
                     {"Communication", 5500, 9000}}));
  add_host_call(host);
  host.answer("stage_alignment", R"({"how": "launch", "stages": [
      {"stage": "backward", "stage_by_time": "update_dense"}, {"stage": "embedding_fetch", "stage_by_time": "forward"}],
      "sync_sources": [
      {"api": "aclrtSynchronizeStream", "side": "host", "stage": "forward", "count": 3, "total_us": 7.5, "max_us": 4},
      {"api": "EVENT_WAIT", "side": "device", "stage": "backward", "count": 2, "total_us": 1.5, "max_us": 1}],
      "device_wait_us": 1.5})");
  sdk::Value answer = host.run(kTool, arguments());
  CHECK(answer["rows"].at(0)["stage"].text() == "backward");
  CHECK(answer["rows"].at(0)["stage_by_time"].text() == "update_dense");
  CHECK(answer["rows"].at(1)["stage"].text() == "embedding_fetch");
  REQUIRE(answer["sync_sources"].size() == 2);
  CHECK(answer["sync_sources"].at(0)["api"].text() == "aclrtSynchronizeStream");
  CHECK(answer["sync_sources"].at(0)["count"].integer() == 3);
  CHECK(answer["sync_sources"].at(0)["stage"].text() == "forward");
  CHECK(answer["findings"]["device_wait_bound"]["ratio"].number() == Approx(0.5));  // of 3 us computing

  answer = host.run(kTool, arguments(R"("limit": 1, )"));
  CHECK(answer["sync_sources"].size() == 1);
  CHECK(answer["sync_sources_other"]["count"].integer() == 2);
  CHECK(answer["sync_sources_other"]["total_us"].number() == 1.5);
}

TEST_CASE("without calls of the host spans have no stage, and the driver's statistic tells what synchronizes") {
  namespace api_stat = table::api_stat;
  sdk::testing::Table statistic(api_stat::kTable, "api_statistic.csv");
  const auto add = [&statistic](const char* name, int64_t total_ns, int64_t count) {
    statistic.row()
        .set(api_stat::level, "acl")
        .set(api_stat::name, name)
        .set(api_stat::total_ns, total_ns)
        .set(api_stat::count, count);
  };
  add("aclrtSynchronizeDevice", 2000, 1);
  add("aclnnAdd", 9000, 9);
  add("aclrtSynchronizeStream", 5000, 4);
  sdk::testing::Host host;
  host.add(0, spans({{"Computing", 1000, 3000}, {"Communication", 2000, 5000}}));
  host.add(0, std::move(statistic));
  const sdk::Value answer = host.run(kTool, arguments());
  CHECK(answer["rows"].at(0)["stage"].is_null());
  CHECK(answer["rows"].at(0)["stage_by_time"].is_null());
  REQUIRE(answer["sync_sources"].size() == 2);
  CHECK(answer["sync_sources"].at(0)["api"].text() == "aclrtSynchronizeStream");
  CHECK(answer["sync_sources"].at(0)["count"].integer() == 4);
  CHECK(answer["sync_sources"].at(0)["total_us"].number() == 5.0);
  CHECK(answer["sync_sources"].at(0)["stage"].is_null());
  CHECK(answer["findings"]["device_wait_bound"]["holds"].is_null());
}

TEST_CASE("device waits bind above 10 % of computing") {
  CHECK(holds(with_device_waits("100.001"), "device_wait_bound"));
  CHECK_FALSE(holds(with_device_waits("100"), "device_wait_bound"));
  CHECK(with_device_waits("null")["findings"]["device_wait_bound"]["holds"].is_null());
}

TEST_CASE("synchronization binds where an operation does next to nothing but wait, for long enough to count") {
  CHECK(holds(with_operation(0, 60'000), "synchronization_bound"));
  CHECK_FALSE(holds(with_operation(0, 49'999), "synchronization_bound"));  // a wait of microseconds says nothing
  CHECK(holds(with_operation(5'000, 95'000), "synchronization_bound"));
  CHECK_FALSE(holds(with_operation(5'001, 95'000), "synchronization_bound"));
  const sdk::Value finding = with_operation(0, 60'000)["findings"]["synchronization_bound"];
  CHECK(finding["ratio"].number() == Approx(60'100.0 / 560'100));
  CHECK(finding["ops"].to_json() == R"(["hcom_alltoall__1"])");
}

TEST_CASE("not hidden above 30 % of communication, idle above 5 % of the step") {
  const auto run = [](int64_t computing_end, int64_t free_end) {
    sdk::testing::Host host;
    host.add(0, spans({{"Computing", 0, computing_end}, {"Communication", 0, 1000}, {"Free", 1000, free_end}}));
    host.add(0, host_steps({{1, 0, 1000}}));
    return host.run(kTool, arguments());
  };
  CHECK_FALSE(holds(run(700, 1001), "not_hidden"));
  CHECK(holds(run(699, 1001), "not_hidden"));
  CHECK_FALSE(holds(run(700, 1052), "idle_to_fill"));  // 52 of 1052
  CHECK(holds(run(700, 1053), "idle_to_fill"));
}

TEST_CASE("a run that nothing divides is no step: no share of one is told, and what is told is of the run") {
  sdk::testing::Host host;
  host.add(0, kernels({{std::nullopt, "gemm", "compute", 0, 500'000},
                       {std::nullopt, "hcom_allReduce__1", "communication", 600'000, 400'000}}));
  const sdk::Value answer = host.run(kTool, arguments());
  CHECK(answer["breakdown"]["wall_us"].number() == 1'000.0);
  CHECK(answer["findings"]["idle_to_fill"]["holds"].is_null());
  CHECK(answer["findings"]["not_hidden"]["holds"].boolean() == true);  // that is of communication
  for (const char* metric : {"comm.step_ratio", "comm.not_overlapped_step_ratio", "step.free_ratio"}) {
    INFO(metric);
    CHECK(answer["metrics"][metric].is_null());
  }
  CHECK(answer["next"].at(0)["why"].text()->find("computing is 50.0 % of the whole run") == 0);
  host.run(kTool, arguments(R"("step": 2, )"));
  CHECK(host.failure()->message == "Nothing tells which of the device's work is of step 2.");
}

TEST_CASE("a timeline without kernels is of its step, where it has one only") {
  sdk::testing::Host host;
  host.add(0, spans({{"Computing", 0, 1000}, {"Communication", 500, 2000}}));
  host.add(0, host_steps({{7, 0, 2000}}));
  const sdk::Value answer = host.run(kTool, arguments(R"("step": 7, )"));
  REQUIRE(answer["rows"].size() == 1);
  CHECK(answer["rows"].at(0)["step"].integer() == 7);
  CHECK(answer["metrics"]["comm.step_ratio"].number() == 0.75);
}

TEST_CASE("what costs most leads on: between pipeline stages to those, in a collective to who comes late") {
  const auto next = [](const char* operation, int64_t elapse_ns, const char* ranks) {
    sdk::testing::Host host;
    host.add(0, spans({{"Computing", 0, 500'000}, {"Communication", 500'000, 1'000'000}}));
    host.add(0, host_steps({{1, 0, 1'000'000}}));
    host.add(0, operations({{1, operation, "g", elapse_ns, 0, 0}, {1, "small", "g", 1'000, 0, 0}}));
    return host.run(kTool, std::string(R"({"all_ranks": )") + ranks +
                               R"(, "profile": {"kind": "torch_npu", "origin_ns": "0", "declare": {}}})")["next"];
  };
  const sdk::Value pipeline = next("hcom_batchSendRecv__1", 300'000, "[0, 1]");
  CHECK(pipeline.at(0)["tool"].text() == "cluster_summary");
  CHECK(pipeline.at(0)["why"].text()->find("`hcom_batchSendRecv__1` costs most, 30.0 % of the step") == 0);
  CHECK(next("hcom_receive__1", 300'000, "[0, 1]").at(0)["tool"].text() == "cluster_summary");
  CHECK(next("hcom_allReduce__1", 50'000, "[0, 1]").at(0)["tool"].text() == "find_stragglers");
  CHECK(next("hcom_allReduce__1", 49'999, "[0, 1]").at(0)["tool"].text() == "top_operators");
  CHECK(next("hcom_allReduce__1", 300'000, "[0]").at(0)["tool"].text() == "top_operators");  // nobody to compare with
}

TEST_CASE("a late rank is led to only from a group of this rank that there is enough to judge by") {
  const auto answer = [](uint32_t asked, int64_t transit_ns) {
    sdk::testing::Host host;
    host.add(asked, spans({{"Computing", 0, 900'000}, {"Communication", 900'000, 1'000'000}}));
    // Rank 2 waits least in the group of 1 and 2; rank 0 has one of its own.
    host.add(0, operations({{1, "c", "own", 10'000, 0, 0}}));
    host.add(1, operations({{1, "c", "g", transit_ns, 90'000, 0}}));
    host.add(2, operations({{1, "c", "g", transit_ns, 0, 0}}));
    return host.run(kTool, R"({"ranks": [)" + std::to_string(asked) +
                               R"(], "all_ranks": [0, 1, 2], "profile": {"kind": "torch_npu", "origin_ns": "0"}})");
  };
  const auto leads = [](const sdk::Value& result) {
    for (size_t i = 0; i < result["next"].size(); ++i) {
      if (result["next"].at(i)["tool"].text() == "summarize_profile") return true;
    }
    return false;
  };
  CHECK(leads(answer(1, 60'000)));
  CHECK_FALSE(leads(answer(0, 60'000)));  // no member
  CHECK_FALSE(leads(answer(1, 40'000)));  // transit_below_50_us
  const sdk::Value groups = answer(0, 60'000)["groups"];
  CHECK(groups.at(0)["group"].text() == "own");  // though the other one waits
  CHECK(groups.at(0)["of_this_rank"].boolean() == true);
  CHECK(groups.at(1)["of_this_rank"].boolean() == false);
}

TEST_CASE("`limit` cuts operations and groups, and what it leaves out is summed") {
  sdk::testing::Host host;
  host.add(0, operations({{1, "a", "g", 3000, 0, 0}, {1, "b", "h", 2000, 0, 0}, {1, "c", "i", 1000, 0, 0}}));
  sdk::Value answer = host.run(kTool, arguments(R"("limit": 2, )"));
  CHECK(answer["ops"].size() == 2);
  CHECK(answer["groups"].size() == 2);
  CHECK(answer["groups_total"].integer() == 3);
  CHECK(answer["ops_other"]["names"].integer() == 1);
  CHECK(answer["ops_other"]["elapse_us"].number() == 1.0);
  answer = host.run(kTool, arguments(R"("limit": 1000, )"));
  CHECK(answer["ops"].size() == 3);
  CHECK(answer["ops_other"].is_absent());
}
