// Shapes vary, too, where calls compile again in a later step.
#include "compile_calls.h"

#include "overview.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using overview::compile_calls;
using overview::CompileCalls;
using sdk::testing::Host;
using sdk::testing::Table;
namespace runtime_api = stepwise::table::runtime_api;
namespace host_op = stepwise::table::host_op;

namespace {

struct Slice {
  const char* name;
  std::optional<int64_t> step;
  int64_t dur_ms;
  std::optional<int64_t> parent{};
};

Table driver(std::initializer_list<Slice> slices) {
  Table table(runtime_api::kTable, "trace_view.json");
  int64_t row = 0;
  for (const Slice& one : slices) {
    auto r = table.row();
    r.set(runtime_api::name, one.name).set(runtime_api::dur_ns, one.dur_ms * 1'000'000);
    r.set(runtime_api::src_pos, ++row);
    if (one.step) r.set(runtime_api::step, *one.step);
    if (one.parent) r.set(runtime_api::parent_id, *one.parent);
  }
  return table;
}

CompileCalls found(Host& host) {
  static CompileCalls out;  // a tool is a plain function
  out = {};
  host.run([](sdk::Call& call) -> int32_t {
    out = compile_calls(call, 0);
    return SW_OK;
  });
  return out;
}

CompileCalls found(std::initializer_list<Slice> slices) {
  Host host;
  host.add(0, driver(slices));
  return found(host);
}

}  // namespace

TEST_CASE("compiling in two steps is a repetition, and the second step's first call is where it shows") {
  const CompileCalls again = found({{"AscendCL@opCompile", 1, 300},
                                    {"AscendCL@opCompile", 1, 200},
                                    {"AscendCL@aclopCompileAndExecute", 2, 400},
                                    {"AscendCL@opCompile", 2, 399, 2}});
  CHECK(again.repeated());
  CHECK(again.count == 3);  // the last is inside the one before
  CHECK(again.name == "AscendCL@aclopCompileAndExecute");
  CHECK(again.row == 3);
  CHECK(again.file == "trace_view.json");
}

TEST_CASE("a first step that compiles, calls that find it compiled, and names of what is compiled repeat nothing") {
  CHECK_FALSE(found({{"AscendCL@opCompile", 1, 300}, {"AscendCL@opCompile", 1, 300}}).repeated());
  CHECK_FALSE(found({{"AscendCL@opCompile", 1, 300}, {"AscendCL@opCompile", 2, 9}}).repeated());
  CHECK(found({{"AscendCL@opCompile", 1, 300}, {"AscendCL@opCompile", 2, 10}}).repeated());
  CHECK_FALSE(found({{"CompiledFunction", 1, 300}, {"CompiledFunction", 2, 300}}).repeated());
  CHECK_FALSE(found({{"AscendCL@opCompile", std::nullopt, 300}, {"AscendCL@opCompile", 2, 300}}).repeated());
}

TEST_CASE("the framework's calls count where the driver tells of none") {
  Host host;
  Table ops(host_op::kTable, "trace_view.json");
  for (const int64_t step : {4, 5}) {
    ops.row()
        .set(host_op::name, "GraphModule::CompileGraph")
        .set(host_op::step, step)
        .set(host_op::dur_ns, 50'000'000)
        .set(host_op::src_pos, 10 * step);
  }
  host.add(0, std::move(ops));
  CHECK(found(host).row == 50);
}

TEST_CASE("summarize_profile says that shapes vary and shows the repeated call") {
  Host host;
  host.add(0, driver({{"AscendCL@opCompile", 1, 300}, {"AscendCL@opCompile", 2, 300}}));
  for (const char* tool : {"detect_scenario", "detect_execution_mode"}) {
    host.answer(tool, R"({"value": "undetermined", "proof": "none", "toolchain": null, "evidence": []})");
  }
  const auto result = host.run(overview::summarize_profile, R"({"profile": {"kind": "torch_npu"}})");
  CHECK(result["shapes_vary"].boolean() == true);
  std::string says;
  for (size_t i = 0; i < result["evidence"].size(); ++i) says += result["evidence"].at(i)["says"].text().value_or("");
  CHECK(says.find("2 calls that compile, in 2 steps; the first repetition is `AscendCL@opCompile`") !=
        std::string::npos);
}
