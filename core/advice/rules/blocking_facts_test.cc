#include "core/advice/rules/blocking_facts.h"

#include <string>

#include "core/advice/rules/metric_set.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

Answers answers(double blocking_ratio = 0.5) {
  Json host = parse_json(R"({"blocking": [
    {"call": "cudaMemcpyAsync", "op": "aten::copy_", "within": "## sparse_data_dist ##", "kind": "copy",
     "source": "models/train.py(12): step", "device_idle_us": 600.0},
    {"call": "cudaDeviceSynchronize", "kind": "synchronisation", "source": null, "device_idle_us": 300.0},
    {"call": "cudaMalloc", "kind": "allocation", "source": "x=1; y.py(3): f", "device_idle_us": 100.0},
    {"call": "cudaFree", "kind": "allocation", "device_idle_us": 0.0}]})")
                  .value();
  host["metrics"] = {{"host.blocking_idle_ratio", blocking_ratio}, {"host.synchronisation_us_per_step", 1.0}};
  const Json summary = parse_json(R"({"schedule_bound": true, "iterations": {"count": 5, "source": "profiler_step"},
    "metrics": {"step.free_ratio": 0.6, "iteration.wall_avg_us": 1000.0}})")
                           .value();
  const Json top = {{"operators", {{"count", 10000}, {"total_us", 10.0}}}};
  return {{"host_api", host}, {"summarize_profile", summary}, {"top_operators", top}};
}

Json value(const MetricSet& metrics, std::string_view name) {
  const Metric* metric = metrics.find(name);
  return metric == nullptr ? Json() : metric->value;
}

}  // namespace

TEST_CASE("calls that block: shares by kind of the device's idle time, the first one by name") {
  const MetricSet metrics = MetricSet::from(answers());
  CHECK(value(metrics, "host.blocking_calls") == "cudaMemcpyAsync");
  CHECK(value(metrics, "host.blocking_copy_ratio") == Json(0.6));
  CHECK(value(metrics, "host.blocking_wait_ratio") == Json(0.3));
  CHECK(value(metrics, "host.blocking_allocation_ratio") == Json(0.1));
  CHECK(value(MetricSet::from({}), "host.blocking_copy_ratio").is_null());
}

TEST_CASE("calls that block: where they stand, in the profile's words, with a line of a program where one is known") {
  const Places places = places_of(answers(), "en");
  REQUIRE(places.count("host_blocks") == 1);
  const auto& list = places.at("host_blocks");
  REQUIRE(list.size() == 3);  // not the one without idle time
  CHECK(list[0].file == "models/train.py");
  CHECK(list[0].line == 12);
  CHECK(list[0].how == "cudaMemcpyAsync in aten::copy_ of ## sparse_data_dist ##");
  CHECK(list[1].file.empty());
  CHECK(list[2].file.empty());  // no path of a program
  CHECK(places_of(answers(), "zh").at("host_blocks")[0].how ==
        "## sparse_data_dist ## 内 aten::copy_ 中的 cudaMemcpyAsync");
  CHECK(places_of({}, "en").empty());
}

TEST_CASE("dispatching is not what the device waits for where the host's calls block in most of its idle time") {
  CHECK(value(MetricSet::from(answers(0.3)), "host.dispatch_bound") == Json(false));
  CHECK(value(MetricSet::from(answers(0.29)), "host.dispatch_bound") == Json(true));
}

}  // namespace stepwise::advice
