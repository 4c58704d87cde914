#include "core/advice/gate/gate.h"

#include <algorithm>

#include "core/advice/gate/own_knowledge_test.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

Gate gate(Context context) { return {own_knowledge(), std::move(context)}; }

Context eager() { return {.mode = "eager", .scenario = "training", .framework = "pytorch"}; }
Context compiled() { return {.mode = "ge", .toolchain = "ge_tf", .scenario = "inference", .framework = "tensorflow"}; }

std::string said(const Verdict& verdict) {
  return std::string(to_string(verdict.decision)) + " " + to_string(verdict.rule) + " " + verdict.code;
}
std::string said(const Context& context, const std::string& name, std::optional<std::string> value = {}) {
  return said(gate(context).check({name, std::move(value)}));
}

}  // namespace

TEST_CASE("R1: what the seeds got wrong is refused, and what is right is named") {
  const auto refused = [](const std::string& name, std::optional<std::string> value, const std::string& right) {
    const Verdict verdict = gate({}).check({name, std::move(value)});
    INFO(name << ": " << verdict.reason);
    CHECK(verdict.decision == Decision::refused);
    CHECK(verdict.rule == GateRule::r1);
    CHECK(std::find(verdict.nearest.begin(), verdict.nearest.end(), right) != verdict.nearest.end());
  };
  refused("--autofuse_enable_pass", "scatter", "--autofuse_enable_pass");
  refused("NPU_OPS_SYNC", "0", "ASCEND_LAUNCH_BLOCKING");
  refused("torch_npu.npu.PinMemPoolManager", {}, "torch.utils.data.DataLoader(pin_memory=...)");
  refused("ge.exec.dynamicImageSize", {}, "ge.dynamicDims");
  refused("--precision_mode", "allow_hf32", "torch_npu.npu.matmul.allow_hf32");
  refused("ge.exec.precision_mode", "allow_hf32", "torch_npu.npu.matmul.allow_hf32");
  refused("REGISTER_PASS", {}, "REG_FUSION_PASS");
  refused("HCCL_RDAM_TC", "132", "HCCL_RDMA_TC");
}

TEST_CASE("R1: misspelt, invented and wrongly written names and values are refused") {
  const Verdict misspelt = gate(eager()).check({"TASK_QUEUE_ENABEL", "2"});
  CHECK(said(misspelt) == "refused R1 unknown");
  REQUIRE_FALSE(misspelt.nearest.empty());
  CHECK(misspelt.nearest.front() == "TASK_QUEUE_ENABLE");
  CHECK(said(eager(), "NPU_TURBO_MODE", "1") == "refused R1 unknown");
  // The environment tells capitals from small letters.
  CHECK(said(eager(), "task_queue_enable", "2") == "refused R1 unknown");
  CHECK(said(eager(), "TASK_QUEUE_ENABLE", "3") == "refused R1 value");
  CHECK(said(eager(), "TASK_QUEUE_ENABLE", "2") == "accepted  ");
  CHECK(said(eager(), "TASK_QUEUE_ENABLE") == "accepted  ");
}

TEST_CASE("R1: what is not known well enough is downgraded") {
  CHECK(said(eager(), "HOST_CACHE_CAPACITY") == "downgraded R1 low_confidence");
}

TEST_CASE("R2: the right name in the wrong place") {
  CHECK(said(compiled(), "TASK_QUEUE_ENABLE", "2") == "refused R2 does_not_apply");
  CHECK(said(eager(), "MAX_RUNTIME_CORE_NUMBER", "3") == "refused R2 does_not_apply");
  CHECK(said({.mode = "undetermined"}, "TASK_QUEUE_ENABLE", "2") == "downgraded R2 mode_undetermined");
  CHECK(said({.mode = "graph_dump"}, "TASK_QUEUE_ENABLE", "2") == "downgraded R2 mode_undetermined");
  // A wrong value is wrong whatever the mode.
  CHECK(said({.mode = "undetermined"}, "TASK_QUEUE_ENABLE", "7") == "refused R1 value");
  CHECK(said({.on_gpu = true}, "TASK_QUEUE_ENABLE", "2") == "refused R2 does_not_apply");
}

TEST_CASE("R2: in eager mode a graph's parameter is the second step after the conversion, and only that") {
  Verdict verdict = gate(eager()).check({"TORCHINDUCTOR_NPU_BACKEND", "mlir", true});
  CHECK(said(verdict) == "accepted  ");
  CHECK_FALSE(verdict.conditions.empty());
  CHECK(said(eager(), "TORCHINDUCTOR_NPU_BACKEND", "mlir") == "refused R2 does_not_apply");
  // Another framework's graph mode is no second step.
  CHECK(said(gate({.mode = "ge", .framework = "tensorflow"}).check({"TORCHINDUCTOR_NPU_BACKEND", "mlir", true})) ==
        "refused R2 does_not_apply");
}

TEST_CASE("R2: the default and what is set already change nothing") {
  CHECK(said(eager(), "TASK_QUEUE_ENABLE", "1") == "refused R2 default");
  CHECK(said(eager(), "torch_npu.npu.conv.allow_hf32", "True") == "refused R2 default");
  Context set_to_0 = eager();
  set_to_0.set["TASK_QUEUE_ENABLE"] = "0";
  CHECK(said(set_to_0, "TASK_QUEUE_ENABLE", "1") == "accepted  ");
  Context set_to_2 = eager();
  set_to_2.set["TASK_QUEUE_ENABLE"] = "2";
  CHECK(said(set_to_2, "TASK_QUEUE_ENABLE", "2") == "refused R2 already_set");
}

TEST_CASE("R2: measures for shapes that vary are of no use in a graph where none does") {
  Context still = compiled();
  still.shapes_vary = false;
  CHECK(said(still, "MAX_RUNTIME_CORE_NUMBER", "5") == "refused R2 static_shapes");
  still.shapes_vary = true;
  CHECK(said(still, "MAX_RUNTIME_CORE_NUMBER", "5") == "accepted  ");
  still.shapes_vary.reset();
  const Verdict open = gate(still).check({"MAX_RUNTIME_CORE_NUMBER", "5"});
  CHECK(said(open) == "accepted  ");
  CHECK_FALSE(open.conditions.empty());
}

TEST_CASE("R2: hardware, where it is known; unknown it is a condition") {
  Context on = eager();
  on.scenario = "inference";
  on.chip = "Ascend310B4";
  CHECK(said(on, "torch_npu.npu.set_device_limit") == "refused R2 hardware");
  on.chip = "Ascend910B2";
  CHECK(said(on, "torch_npu.npu.set_device_limit") == "accepted  ");
  on.chip.clear();
  CHECK_FALSE(gate(on).check({"torch_npu.npu.set_device_limit", {}}).conditions.empty());
}

TEST_CASE("chips that profilers name belong to the families that parameters name") {
  const auto family = [](const char* chip) {
    const Chip* found = own_knowledge()->chips().find(chip);
    return found == nullptr ? "" : found->hardware;
  };
  CHECK(family("Ascend910B2") == "ascend_a2");
  CHECK(family("Ascend910_9391") == "ascend_a3");
  CHECK(family("ascend910a") == "ascend_910");
  CHECK(family("Ascend310P3") == "ascend_310p");
  CHECK(family("NVIDIA H100 80GB HBM3") == "gpu");
  CHECK(family("Ascend") == "");
  CHECK(family("") == "");
}

TEST_CASE("R2: parameters that exclude each other") {
  const std::vector<Proposed> both = {{"TASK_QUEUE_ENABLE", "2"}, {"ASCEND_LAUNCH_BLOCKING", "1"}};
  const auto verdicts = gate(eager()).check_together(both);
  REQUIRE(verdicts.size() == 2);
  CHECK(said(verdicts[0]) == "accepted  ");
  CHECK(said(verdicts[1]) == "refused R2 conflict");  // it is for debugging
  const std::vector<Proposed> harmless = {{"TASK_QUEUE_ENABLE", "2"}, {"ASCEND_LAUNCH_BLOCKING"}};
  CHECK(said(gate(eager()).check_together(harmless)[0]) == "accepted  ");
  // What was set in the run counts too.
  Context blocking = eager();
  blocking.set["ASCEND_LAUNCH_BLOCKING"] = "1";
  CHECK(said(gate(blocking).check_together(std::vector<Proposed>{{"TASK_QUEUE_ENABLE", "2"}})[0]) ==
        "refused R2 conflict");
  Context several = compiled();
  several.toolchain.clear();
  several.framework.clear();
  const std::vector<Proposed> streams = {{"ge.enableSingleStream", "true"}, {"ge.autoMultistreamParallelMode", "cv"}};
  CHECK(said(gate(several).check_together(streams)[0]) == "refused R2 conflict");
}

TEST_CASE("a key that is nearly right: the reason names the right one") {
  const Verdict verdict = gate(eager()).check({"PYTORCH_NPU_ALLOC_CONF", "expandable_segment:True"});
  CHECK(said(verdict) == "refused R1 value");
  CHECK(verdict.reason.find("Did you mean expandable_segments?") != verdict.reason.npos);
}

TEST_CASE("a call's arguments are checked") {
  const Context serving{.mode = "eager", .scenario = "inference", .framework = "pytorch"};
  CHECK(said(serving, "torch_npu.npu.set_device_limit", "0, cube_num=12, vector_num=24") == "accepted  ");
  CHECK(said(serving, "torch_npu.npu.set_device_limit", "device=0, cores=12") == "refused R1 value");
}

}  // namespace stepwise::advice
