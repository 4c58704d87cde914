// Directions and their circumstances: the conversion, the other scenario, switch files, what is told not to be used,
// conditions of what is accepted.
#include <string>

#include "core/advice/draft/rewrites_test.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

std::string said(const Gate& gate, const std::string& text) {
  const std::string items[] = {text};
  const Json item = validate(gate, {}, items, "en")["items"][0];
  const auto rule = item["rule"].get<std::string>();
  return item["verdict"].get<std::string>() + (rule.empty() ? "" : " " + rule);
}

}  // namespace

TEST_CASE("in eager mode the conversion itself is allowed, by its name too, and what follows it") {
  for (const char* text :
       {"Use `torch.compile`.", "Use `torch.compile(model)`.",
        "Convert the model with torch.compile, then set `TORCHINDUCTOR_NPU_BACKEND=mlir`",
        "先用 torch.compile 转图模式，再设置 `TORCHINDUCTOR_NPU_BACKEND=mlir`。", "Do not use torch.compile.",
        "Use torch.compile instead of eager mode, then set `TORCHINDUCTOR_NPU_BACKEND=mlir`."}) {
    INFO(text);
    CHECK(said(eager(), text) == "accepted");
  }
  for (const char* text : {"Do not use torch.compile; set `TORCHINDUCTOR_NPU_BACKEND=mlir`.",
                           "Without torch.compile, set `TORCHINDUCTOR_NPU_BACKEND=mlir`.",
                           "torch.compile is not needed: set `TORCHINDUCTOR_NPU_BACKEND=mlir`."}) {
    INFO(text);
    CHECK(said(eager(), text) == "refused R2");
  }
}

TEST_CASE("directions for training and for inference do not cross") {
  for (const char* text :
       {"Use gradient accumulation over 4 batches.", "Accumulate gradients over 4 batches.", "使用梯度累积。"}) {
    CHECK(said(compiled(), text) == "refused R2");
    CHECK(said(eager(), text) == "accepted");
    CHECK(fault_of_rewrites(compiled(), text, "en") == "");
  }
  for (const char* text : {"Train with several instances in parallel on one device.",
                           "Run several inference instances on one device.", "单卡多实例并行推理"}) {
    CHECK(said(eager(), text) == "refused R2");
    CHECK(said(compiled(), text) == "accepted");
    CHECK(fault_of_rewrites(eager(), text, "en") == "");
  }
  CHECK(said(compiled(), "Gradient accumulation does not apply here.") == "accepted");
}

TEST_CASE("R6: a fusion switch file is no auto-fusion, and cannot switch off what must stay") {
  for (const char* text :
       {"--fusion_switch_file=./f.cfg enables auto fusion", "`--fusion_switch_file=f.cfg` 打开自动融合",
        "Use `--fusion_switch_file=fusion.cfg` to switch off InterleaveRope2RotaryPositionEmbeddingFusionPass."}) {
    INFO(text);
    CHECK(said(compiled(), text) == "refused R6");
    CHECK(fault_of_rewrites(compiled(), text, "en") == "");
  }
  CHECK(said(compiled(), "`--fusion_switch_file=f.cfg` switches built-in passes; it is not auto-fusion.") ==
        "accepted");
}

TEST_CASE("what is told not to be set need not fit, but must exist") {
  for (const char* text :
       {"Set `TASK_QUEUE_ENABLE=2`; never `ASCEND_LAUNCH_BLOCKING=1`.", "Never set `ASCEND_LAUNCH_BLOCKING=1`.",
        "Set `TASK_QUEUE_ENABLE=2` instead of `ASCEND_LAUNCH_BLOCKING=1`.", "不要设置 `ASCEND_LAUNCH_BLOCKING=1`。",
        "Do not set `MAX_RUNTIME_CORE_NUMBER=3`."}) {
    INFO(text);
    CHECK(said(eager(), text) == "accepted");
  }
  CHECK(said(eager(), "Never set `NPU_OPS_SYNC=0`.") == "refused R1");
  CHECK(said(eager(), "Never set `TASK_QUEUE_ENABLE=7`.") == "refused R1");
  CHECK(said(eager(), "Do not forget to set `MAX_RUNTIME_CORE_NUMBER=3`.") == "refused R2");
  CHECK(said(eager(), "Set `TASK_QUEUE_ENABLE=2` with `ASCEND_LAUNCH_BLOCKING=1`.") == "refused R2");
}

TEST_CASE("a document that is cited, by its name or address, is not a parameter that is proposed") {
  for (const char* text :
       {"| Documents | \\[AutoFuse] \\[TORCHINDUCTOR_NPU_BACKEND] |\n",
        "See https://www.hiascend.com/environment_variable_reference/TORCHINDUCTOR_NPU_BACKEND.md",
        "| CPU_AFFINITY_CONF | 2 | verified | code repository: docs/zh/performance_tuning/CPU_AFFINITY_CONF.md |\n"}) {
    INFO(text);
    CHECK(said(eager(), text) == "accepted");
  }
  CHECK(said(eager(), "Set [TORCHINDUCTOR_NPU_BACKEND].") == "refused R2");
  const std::string row = "| npu_backend | ascendc | verified |\n";
  CHECK(said(eager(), row) == "refused R2");
  CHECK(said(eager(),
             row + "\nExample:\n\n```\nmodel = torch.compile(model, options={\"npu_backend\": \"ascendc\"})\n```\n") ==
        "accepted");
}

TEST_CASE("an item says what its accepted parameters depend on") {
  const std::string items[] = {"Set `TORCH_NPU_LAZY_FUSION=True`.", "Fetch the next batch ahead."};
  const Json answer = validate(eager(), {}, items, "en")["items"];
  REQUIRE(answer[0].contains("conditions"));
  CHECK(answer[0]["verdict"] == "accepted");
  CHECK(answer[0]["conditions"][0].get<std::string>().find("the chip of this run is not known") != std::string::npos);
  CHECK_FALSE(answer[1].contains("conditions"));
}

TEST_CASE("a row of a table keeps its cells") {
  const std::string text = "| name | value | note |\n|---|---|---|\n| TASK_QUEUE_ENABLE | 1 | default |\n";
  const auto rewrite = validate(eager(), {}, text, "en")["items"][0]["rewrite"].get<std::string>();
  CHECK(rewrite.find("| `TASK_QUEUE_ENABLE` (1 is the default already) | - | default |") != rewrite.npos);
  const auto row =
      validate(eager(), {}, "| TASK_QUEUE_ENABLE | 2 | x |\n", "en")["items"][0]["rewrite"].get<std::string>();
  CHECK(row.find("Example: `export TASK_QUEUE_ENABLE=2`") != row.npos);
}

}  // namespace stepwise::advice
