// Host calls that block, and how answers lead to them.
#include "blocking_calls.h"

#include "enclosing_calls.h"
#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::overview;
using sdk::testing::Host;
using sdk::testing::Table;
namespace host_op = stepwise::table::host_op;
namespace kernel = stepwise::table::kernel;
namespace kernel_link = stepwise::table::kernel_link;
namespace python_call = stepwise::table::python_call;
namespace runtime_api = stepwise::table::runtime_api;
namespace step = stepwise::table::step;

namespace {

constexpr int64_t kMs = 1'000'000;
constexpr const char* kFile = "rank0.pt.trace.json";

// One process, one thread: what stands in which range, all in ms.
struct Trace {
  Table kernels{kernel::kTable, kFile}, links{kernel_link::kTable}, driver{runtime_api::kTable, kFile};
  Table ops{host_op::kTable, kFile}, python{python_call::kTable, kFile}, steps{step::kTable, kFile};
  int64_t kernel_count = 0, call_count = 0;

  Trace& runs(const char* name, const char* class_, int64_t start_ms, int64_t end_ms, int64_t by_call = -1) {
    kernels.row()
        .set(kernel::name, name)
        .set(kernel::class_, class_)
        .set(kernel::start_ns, start_ms * kMs)
        .set(kernel::dur_ns, (end_ms - start_ms) * kMs);
    if (by_call >= 0) {
      links.row()
          .set(kernel_link::kernel_id, kernel_count)
          .set(kernel_link::runtime_api_id, by_call)
          .set(kernel_link::how, "correlation");
    }
    ++kernel_count;
    return *this;
  }
  Trace& calls(const char* name, int64_t start_ms, int64_t end_ms, int64_t parent = -1) {
    auto row = driver.row();
    row.set(runtime_api::name, name).set(runtime_api::tid, 7).set(runtime_api::start_ns, start_ms * kMs);
    row.set(runtime_api::dur_ns, (end_ms - start_ms) * kMs).set(runtime_api::src_pos, 100 + call_count++);
    row.set(runtime_api::step, 1);
    if (parent >= 0) row.set(runtime_api::parent_id, parent);
    return *this;
  }
  Trace& op(const char* name, int64_t start_ms, int64_t end_ms, int64_t parent = -1, const char* stack = nullptr) {
    auto row = ops.row();
    row.set(host_op::name, name).set(host_op::tid, 7).set(host_op::start_ns, start_ms * kMs);
    row.set(host_op::dur_ns, (end_ms - start_ms) * kMs).set(host_op::step, 1);
    if (parent >= 0) row.set(host_op::parent_id, parent);
    if (stack != nullptr) row.set(host_op::stack, stack);
    return *this;
  }
  Trace& frame(const char* name, int64_t start_ms, int64_t end_ms, int64_t parent = -1) {
    auto row = python.row();
    row.set(python_call::name, name).set(python_call::tid, 7).set(python_call::start_ns, start_ms * kMs);
    row.set(python_call::dur_ns, (end_ms - start_ms) * kMs);
    if (parent >= 0) row.set(python_call::parent_id, parent);
    return *this;
  }
};

sdk::Value run(Trace trace, sdk::ToolFunction tool = host_api) {
  Host host;
  trace.steps.row().set(step::step, 1).set(step::start_ns, 0).set(step::end_ns, 100 * kMs);
  for (Table* one : {&trace.kernels, &trace.links, &trace.driver, &trace.ops, &trace.python, &trace.steps}) {
    host.add(0, std::move(*one));
  }
  host.answer("detect_scenario", R"({"value": "training"})");
  host.answer("detect_execution_mode", R"({"value": "eager", "fused": []})");
  return host.run(tool, R"({"profile": {"kind": "kineto", "origin_ns": "0", "declare": {}}})");
}

// The device computes [0, 10) and [90, 100); in between it makes one copy, [60, 61).
Trace reading_back() {
  Trace trace;
  trace.runs("gemm", "compute", 0, 10).runs("Memcpy DtoH (Device -> Pageable)", "copy", 60, 61, 1);
  trace.runs("gemm", "compute", 90, 100);
  trace.calls("cudaLaunchKernel", 0, 0).calls("cudaMemcpyAsync", 20, 70).calls("cudaStreamSynchronize", 71, 74);
  trace.op("ProfilerStep#1", 0, 100).op("## metrics ##", 15, 80, 0).op("aten::item", 18, 78, 1);
  trace.op("aten::copy_", 19, 75, 2);
  return trace;
}

const sdk::Value next_to(const sdk::Value& answer, std::string_view tool) {
  for (size_t i = 0; i < answer["next"].size(); ++i) {
    if (answer["next"].at(i)["tool"].text() == tool) return answer["next"].at(i);
  }
  return answer["next"].at(answer["next"].size());
}

}  // namespace

TEST_CASE("idle time is what lies between the device's rows, none before the first and behind the last") {
  const DeviceIdle idle(Intervals{{10, 20}, {30, 40}, {45, 50}});
  CHECK(idle.span_ns() == 40);
  CHECK(idle.within_ns(0, 100) == 15);
  CHECK(idle.within_ns(0, 10) == 0);
  CHECK(idle.within_ns(15, 25) == 5);
  CHECK(idle.within_ns(22, 28) == 6);
  CHECK(idle.within_ns(25, 42) == 7);
  CHECK(idle.within_ns(60, 70) == 0);
  CHECK(DeviceIdle(Intervals{}).within_ns(0, 10) == 0);
}

TEST_CASE("a copy that blocks is told with its place, how long the device was idle meanwhile, and what it copied") {
  const auto answer = run(reading_back());
  REQUIRE(answer["blocking"].size() == 2);
  const auto copy = answer["blocking"].at(0);
  CHECK(copy["call"].text() == "cudaMemcpyAsync");
  CHECK(copy["kind"].text() == "copy");
  CHECK(copy["copied"].text() == "Memcpy DtoH (Device -> Pageable)");
  CHECK(copy["op"].text() == "aten::copy_");
  CHECK(copy["within"].text() == "## metrics ##");
  CHECK(copy["source"].is_null());
  CHECK(copy["count"].integer() == 1);
  CHECK(copy["total_us"].number() == 50'000.0);
  CHECK(copy["device_idle_us"].number() == 49'000.0);  // [20, 70) without the copy
  CHECK(copy["row"].integer() == 101);
  CHECK(answer["blocking"].at(1)["call"].text() == "cudaStreamSynchronize");
  CHECK(answer["blocking"].at(1)["device_idle_us"].number() == 3'000.0);
  const auto flags = answer["flags"];
  const auto flag = flags.at(flags.size() - 1);
  CHECK(flag["flag"].text() == "blocking");
  CHECK(flag["found"].boolean() == true);
  CHECK(flag["value"].number() == 0.52);  // 49 + 3 of 100
  CHECK(answer["metrics"]["host.blocking_idle_ratio"].number() == 0.52);
}

TEST_CASE("each host call says how long the device was idle meanwhile") {
  const auto rows = run(reading_back())["rows"];
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows.at(i)["name"].text() == "## metrics ##") CHECK(rows.at(i)["device_idle_us"].number() == 64'000.0);
    if (rows.at(i)["name"].text() == "cudaMemcpyAsync") CHECK(rows.at(i)["device_idle_us"].number() == 49'000.0);
  }
}

TEST_CASE("the largest loss leads to the host calls, and these to what ran around the longest") {
  const auto summary = run(reading_back(), summarize_profile);
  CHECK(summary["where_time_goes"].at(0)["part"].text() == "free");
  const auto first = summary["next"].at(0);
  CHECK(first["tool"].text() == "host_api");
  CHECK(first["why"].text() ==
        "the device ran nothing in 79.0 % of the whole trace: which host calls meanwhile, and from where; it was idle "
        "for 52.0 ms while the host waited, most in `cudaMemcpyAsync` in `aten::copy_` of `## metrics ##`");
  CHECK(next_to(run(reading_back(), problem_operators), "host_api")["why"].text() ==
        "the host's calls that block, and from where: the device is idle for 52.0 ms meanwhile, most in "
        "`cudaMemcpyAsync` in `aten::copy_` of `## metrics ##`");
  const auto timeline = next_to(run(reading_back()), "timeline");
  CHECK(timeline["arguments"].to_json() == R"({"end_us":82500.0,"rank":0,"start_us":7500.0})");
}

TEST_CASE("where the host blocks for little, answers lead to it only by what it is") {
  Trace trace;
  trace.runs("gemm", "compute", 0, 50).runs("gemm", "compute", 50, 96).runs("gemm", "compute", 99, 100);
  trace.calls("cudaDeviceSynchronize", 10, 100);
  const auto answer = run(std::move(trace));
  CHECK(answer["flags"].at(answer["flags"].size() - 1)["found"].boolean() == false);  // 3 of 100
  CHECK(next_to(answer, "timeline").is_absent());
}

TEST_CASE("copies that return at once do not block, nor do calls inside one that does") {
  Trace trace;
  trace.runs("gemm", "compute", 0, 1).runs("Memcpy HtoD (Pinned -> Device)", "copy", 40, 60, 0);
  trace.runs("gemm", "compute", 90, 100);
  trace.calls("cudaMemcpyAsync", 10, 10).calls("cudaLaunchKernel", 11, 11);
  trace.calls("cudaStreamSynchronize", 20, 30).calls("cuStreamSynchronize", 21, 29, 2).calls("cudaFree", 31, 33);
  const auto blocking = run(std::move(trace))["blocking"];
  REQUIRE(blocking.size() == 2);
  CHECK(blocking.at(0)["call"].text() == "cudaStreamSynchronize");
  CHECK(blocking.at(0)["count"].integer() == 1);
  CHECK(blocking.at(1)["kind"].text() == "allocation");
}

TEST_CASE("a read of a scalar blocks by itself only where no driver call in it was recorded") {
  const auto reads = [](bool recorded) {
    Trace trace;
    trace.runs("gemm", "compute", 0, 10).runs("gemm", "compute", 90, 100);
    if (recorded) trace.calls("cudaStreamSynchronize", 25, 30);
    trace.op("aten::item", 20, 40).op("aten::_local_scalar_dense", 22, 38, 0);
    const auto blocking = run(std::move(trace))["blocking"];
    CHECK(blocking.size() == 1);
    return std::string(blocking.at(0)["call"].text().value_or(""));
  };
  CHECK(reads(true) == "cudaStreamSynchronize");
  CHECK(reads(false) == "aten::item");
}

TEST_CASE("the line of Python is the innermost outside PyTorch: by the operator's stack, else by frames") {
  Trace trace;
  trace.runs("gemm", "compute", 0, 10).runs("gemm", "compute", 90, 100);
  trace.calls("cudaDeviceSynchronize", 20, 40).calls("cudaDeviceSynchronize", 50, 60);
  trace.op("aten::item", 49, 61, -1, "torch/_tensor.py(10): item;train.py(12): step;train.py(99): <module>");
  trace.frame("train.py(99): <module>", 0, 100).frame("train.py(7): epoch", 5, 70, 0);
  trace.frame("torch/cuda/__init__.py(975): synchronize", 15, 45, 1).frame("<built-in function _sync>", 16, 44, 2);
  const auto blocking = run(std::move(trace))["blocking"];
  REQUIRE(blocking.size() == 2);
  CHECK(blocking.at(0)["source"].text() == "train.py(7): epoch");
  CHECK(blocking.at(1)["source"].text() == "train.py(12): step");
}

TEST_CASE("of frames, one with a line; PyTorch's own where there is no other") {
  const auto look = [](std::vector<std::string_view> frames) { return frame_to_look_at(frames).value_or("none"); };
  CHECK(look({"<built-in method item>", "/usr/lib/torch/x.py(3): f", "a.py(1): g"}) == "a.py(1): g");
  CHECK(look({"<string>(1): <module>", "torch/x.py(3): f", "nn.Module: Net_0"}) == "torch/x.py(3): f");
  CHECK(look({"nn.Module: Net_0"}) == "none");
  CHECK(look({}) == "none");
}
