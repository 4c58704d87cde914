#include "core/advice/draft/validate.h"

#include <algorithm>
#include <string>

#include "core/advice/draft/rewrites_test.h"
#include "core/base/small_file.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

Json first(const Gate& gate, std::string_view draft, std::string_view lang = "en") {
  const Json answer = validate(gate, {}, draft, lang);
  INFO(draft);
  REQUIRE_FALSE(answer["items"].empty());
  return answer["items"][0];
}

std::string verdict(const Gate& gate, std::string_view draft) {
  const Json item = first(gate, draft);
  return item["verdict"].get<std::string>() + " " + item["rule"].get<std::string>();
}

}  // namespace

TEST_CASE("a draft whose parameters are right is accepted as it is") {
  const std::string draft =
      "## Submit from a thread of its own\n\nTrigger: the device is idle.\nGain: hides launches, to be measured.\n"
      "Example:\n```bash\nexport TASK_QUEUE_ENABLE=2\n```\nSource: torch_npu documentation.\n";
  const Json item = first(eager(), draft);
  CHECK(item["verdict"] == Json("accepted"));
  CHECK(item["lacks"].empty());
  CHECK(item["rewrite"] == Json(draft));
}

TEST_CASE("what the first skill got wrong is refused in drafts of both languages") {
  const Gate graph = compiled();
  const Gate run = eager();
  CHECK(verdict(graph,
                "- Fuse more: `export AUTOFUSE_FLAGS=\"--enable_autofuse=true;--autofuse_enable_pass=scatter\"`.") ==
        "refused R1");
  CHECK(verdict(graph, "- 通过 `--autofuse_enable_pass=reduce,scatter` 打开更多融合") == "refused R1");
  CHECK(verdict(run, "开启异步调度，关闭直调算子同步NPU_OPS_SYNC=0;需验证稳定性") == "refused R1");
  CHECK(verdict(run, "Set NPU_OPS_SYNC to 0.") == "refused R1");
  CHECK(verdict(run, "Pinned memory comes from torch_npu.npu.PinMemPoolManager.") == "refused R1");
  CHECK(verdict(run, "PyTorch 场景通过torch_npu.npu.PinMemPoolManager分配 Pinned 内存") == "refused R1");
  CHECK(verdict(graph, "GE 图模式通过`ge.exec.dynamicImageSize`配置分档") == "refused R1");
  CHECK(verdict(graph, "Use ge.exec.dynamicImageSize for bins.") == "refused R1");
  CHECK(verdict(graph, "GE 图模式通过`--precision_mode=allow_hf32`开启") == "refused R1");
  CHECK(verdict(graph, "Compile with --precision_mode allow_hf32.") == "refused R1");
  CHECK(verdict(graph, "自定义 Pass 注册(GE REGISTER_PASS)") == "refused R1");
  CHECK(verdict(graph, "Register it by REGISTER_PASS.") == "refused R1");
  CHECK(first(run, "Set NPU_OPS_SYNC to 0.")["nearest"][0] == Json("ASCEND_LAUNCH_BLOCKING"));
}

TEST_CASE("R2 and R5 in drafts: the wrong mode, an undetermined one, a gain that nobody measured") {
  CHECK(verdict(eager(), "export MAX_RUNTIME_CORE_NUMBER=3") == "refused R2");
  CHECK(verdict(eager(), "export TASK_QUEUE_ENABLE=1") == "refused R2");
  CHECK(verdict(undetermined(), "export TASK_QUEUE_ENABLE=2") == "downgraded R2");
  CHECK(verdict(eager(), "Overlap preprocessing with the fetch.") == "accepted ");
  const Json answer = validate(eager(), {}, "预取下一批数据，预期收益 10%~20%。", "zh");
  REQUIRE(answer["items"].size() == 2);
  CHECK(answer["items"][0]["verdict"] == Json("accepted"));
  CHECK(answer["items"][1]["verdict"] == Json("downgraded"));
  CHECK(answer["items"][1]["rule"] == Json("R5"));
}

TEST_CASE("a graph's parameter in eager mode: only behind the conversion") {
  CHECK(verdict(eager(), "Compile with `torch.compile(model)`, then `export TORCHINDUCTOR_NPU_BACKEND=mlir`.") ==
        "accepted ");
  CHECK(verdict(eager(), "`export TORCHINDUCTOR_NPU_BACKEND=mlir`, then `torch.compile(model)`.") == "refused R2");
}

TEST_CASE("rewrites: a wrong parameter gives way to the right one, or to a direction; what is hidden goes") {
  const auto rewrite = [](const Gate& gate, std::string_view draft, std::string_view lang) {
    return first(gate, draft, lang)["rewrite"].get<std::string>();
  };
  const std::string invented = rewrite(eager(), "Set NPU_OVERLAP_EVERYTHING_NOW=1 for overlap.", "en");
  CHECK(invented.find("OVERLAP_EVERYTHING") == std::string::npos);
  CHECK(invented.find("(parameter to be checked in the official documentation)") != std::string::npos);
  const std::string chinese = rewrite(eager(), "设置NPU_OVERLAP_EVERYTHING_NOW=1以掩盖通信", "zh");
  CHECK(chinese.find("OVERLAP_EVERYTHING") == std::string::npos);
  CHECK(chinese.find("(参数需查阅官方文档确认)") != std::string::npos);
  CHECK(rewrite(eager(), "Set TASK_QUEUE_ENABEL=2.", "en").find("`export TASK_QUEUE_ENABLE=2`") != std::string::npos);
  const std::string hidden = rewrite(eager(),
                                     "Prefetch.<!-- say nothing of this --> Pre\xE2\x80\x8B"
                                     "fetch.",
                                     "en");
  CHECK(hidden.find("say nothing") == std::string::npos);
  CHECK(hidden.find("Prefetch. Prefetch.") != std::string::npos);
  CHECK(rewrite(eager(), "Prefetch; it is 2x faster.", "en").find("2x") == std::string::npos);
  const std::string sourced = rewrite(eager(), "Set NPU_OPS_SYNC=0.", "en");
  CHECK(sourced.find("\nSource: [code repository] ") != std::string::npos);
  const std::string in_code = rewrite(compiled(), "通过 `--precision_mode=allow_hf32` 开启", "zh");
  CHECK(std::count(in_code.begin(), in_code.end(), '`') % 2 == 0);
  const std::string code = rewrite(eager(), "Do this:\n```\nx = 1\nexport NPU_TURBO_MODE=1\ny = 2\n```\n", "en");
  CHECK(code.find("x = 1\ny = 2") != std::string::npos);
}

TEST_CASE("every rewrite of the labelled set passes when it is validated again") {
  const auto text = read_small_file("core/advice/gate/testdata/mentions.json", 1u << 20);
  REQUIRE(text);
  const Json set = parse_json(*text).value();
  for (const Json& one : set) {
    const auto draft = one["text"].get<std::string>();
    CHECK(fault_of_rewrites(eager(), draft, "en") == "");
    CHECK(fault_of_rewrites(compiled(), draft, "zh") == "");
    CHECK(fault_of_rewrites(undetermined(), draft, "en") == "");
  }
}

TEST_CASE("a sentence that states what does not hold is refused with what is true, and gone from the rewrite") {
  for (const Parameter& one : own_knowledge()->parameters()) {
    if (!one.claim || one.id == "claim.seed_gains") continue;
    for (const std::string& sentence : one.claim->makes) {
      INFO(one.id << ": " << sentence);
      const std::string draft = "Communication is slow. " + sentence;
      const Json answer = validate(eager(), {}, draft, "en");
      const auto found = std::find_if(answer["items"].begin(), answer["items"].end(),
                                      [&](const Json& item) { return item["reason"] == Json(one.claim->truth); });
      REQUIRE(found != answer["items"].end());
      CHECK((*found)["verdict"] == Json("refused"));
      CHECK((*found)["rule"] == Json("R1"));
      CHECK(fault_of_rewrites(eager(), draft, "en") == "");
    }
  }
}

TEST_CASE("the nearest names are looked for as often as a draft of somebody needs, not of a flood") {
  std::string flood;
  for (int i = 0; i < 600; ++i) flood += "- Set NPU_TURBO_" + std::to_string(i) + "=1\n";
  const Json answer = validate(eager(), {}, "- Set TASK_QUEUE_ENABEL=2\n" + flood + "- Set HCCL_BUFFSIZ=200\n", "en");
  REQUIRE(answer["items"].size() == 602);
  CHECK(answer["items"][0]["nearest"][0] == "TASK_QUEUE_ENABLE");
  CHECK(answer["items"][601]["verdict"] == "refused");
  CHECK(answer["items"][601]["nearest"].empty());
}

TEST_CASE("every parameter that was not accepted is told, each with its own reason") {
  const Json item = first(eager(), "Set TASK_QUEUE_ENABLE=1, NPU_OPS_SYNC=0 and ge.exec.dynamicImageSize.");
  REQUIRE(item["parameters"].size() == 3);
  CHECK(item["parameters"][0]["name"] == Json("TASK_QUEUE_ENABLE"));
  CHECK(item["parameters"][0]["rule"] == Json("R2"));
  CHECK(item["parameters"][1]["nearest"] == Json::array({"ASCEND_LAUNCH_BLOCKING"}));
  CHECK(item["parameters"][2]["rule"] == Json("R1"));
}

TEST_CASE("rewrites: what was measured in place of a wrong figure; the default is said to be one; each its language") {
  static const Answers kAnswers = {
      {"top_operators",
       parse_json(R"({"rows": [{"op_type": "MatMulV2", "count": 101, "total_us": 12345.6, "ratio": 0.41}]})").value()}};
  const std::string items[] = {"MatMulV2 takes 50.0 ms. Set TASK_QUEUE_ENABLE=1.", "MatMulV2占比61%，预取数据。"};
  const Json answer = validate(eager(), kAnswers, items, "");
  const auto english = answer["items"][0]["rewrite"].get<std::string>();
  const auto chinese = answer["items"][1]["rewrite"].get<std::string>();
  INFO(english << "\n" << chinese);
  CHECK(english.find("MatMulV2 takes 12.3 ms.") == 0);
  CHECK(english.find("`TASK_QUEUE_ENABLE` (1 is the default already)") != english.npos);
  CHECK(english.find("\nSource: ") != english.npos);
  CHECK(chinese.find("MatMulV2占比41.0%") == 0);
  CHECK(chinese.find("Source: ") == chinese.npos);
  CHECK(chinese.find("来源：") != chinese.npos);
  for (const Json& item : answer["items"]) {
    for (const Json& lack : item["lacks"]) CHECK(lack != Json("trigger"));
  }
  CHECK(validate(eager(), kAnswers, "Prefetch the data.", "")["items"][0]["lacks"][0] == Json("trigger"));
}

TEST_CASE("of two that exclude each other the one that is at fault is refused") {
  const Json item = first(eager(), "export TASK_QUEUE_ENABLE=2 and export ASCEND_LAUNCH_BLOCKING=1");
  REQUIRE(item["parameters"].size() == 1);
  CHECK(item["parameters"][0]["name"] == Json("ASCEND_LAUNCH_BLOCKING"));
  const auto rewrite = item["rewrite"].get<std::string>();
  CHECK(rewrite.find("TASK_QUEUE_ENABLE=2") != rewrite.npos);
  CHECK(rewrite.find("ASCEND_LAUNCH_BLOCKING") == rewrite.npos);
}

}  // namespace stepwise::advice
