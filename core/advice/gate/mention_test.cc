#include "core/advice/gate/mention.h"

#include <string>
#include <vector>

#include "core/base/small_file.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

const Knowledge& knowledge() {
  static std::vector<Error> faults;
  static const auto kKnowledge = Knowledge::load({"skills/knowledge"}, faults);
  return *kKnowledge;
}
const MentionFinder& finder() {
  static const MentionFinder kFinder(knowledge());
  return kFinder;
}

/// "NAME" or "NAME=value", one a line.
std::string found(std::string_view text) {
  std::string out;
  for (const Mention& one : finder().find(text)) {
    if (!out.empty()) out += "; ";
    out += one.name + (one.value ? "=" + *one.value : "");
  }
  return out;
}

}  // namespace

TEST_CASE("a value that a shell would join to another is not clear") {
  const auto mentions = finder().find("export TASK_QUEUE_ENABLE=\"2\"\"7\"");
  REQUIRE(mentions.size() == 1);
  CHECK(mentions[0].has_unclear_value);
  CHECK_FALSE(finder().find("export TASK_QUEUE_ENABLE=\"2\"")[0].has_unclear_value);
}

TEST_CASE("where a mention stands: bytes of the text as given") {
  const std::string text = "设置 `TASK_\xE2\x80\x8BQUEUE_ENABLE=2` 后";
  const auto mentions = finder().find(text);
  REQUIRE(mentions.size() == 1);
  CHECK(mentions[0].offset == text.find("TASK"));
  CHECK(text.substr(mentions[0].offset, mentions[0].length) == "TASK_\xE2\x80\x8BQUEUE_ENABLE");
  CHECK(mentions[0].in_code);
  CHECK(mentions[0].kind == ParameterKind::env);
}

TEST_CASE("names that are hidden are found") {
  for (const char* text :
       {"TASK_QUEUE_\nENABLE=1", "TASK_QUEUE\n_ENABLE=1", "TASK_**QUEUE**_ENABLE=1", "TASK\\_QUEUE\\_ENABLE=1",
        "TASK_QUEUE&#95;ENABLE=1", "TASK<!-- no -->_QUEUE_ENABLE=1", "TASK_<b>QUEUE</b>_ENABLE=1",
        "T\xD0\x90SK_QUEUE_ENABLE=1", "ＴＡＳＫ＿ＱＵＥＵＥ＿ＥＮＡＢＬＥ＝1", "TASK_QUEUE\xE2\x80\x8D_ENABLE=1",
        "[TASK_QUEUE](https://example.com/)_ENABLE=1", "<!-- TASK_QUEUE_ENABLE=1 -->", "__TASK_QUEUE_ENABLE__=1",
        "`TASK_QUEUE`_ENABLE=1", "os.environ[\"TASK_QUEUE_\" + \"ENABLE\"] = \"1\"",
        "> export TASK_QUEUE_\\\n> ENABLE=1"}) {
    INFO(text);
    CHECK(found(text).substr(0, 17) == "TASK_QUEUE_ENABLE");
  }
  CHECK(found("[see](https://example.com/?TASK%5FQUEUE%5FENABLE=1)") == "TASK_QUEUE_ENABLE=1");
}

TEST_CASE("brackets behind a variable are no value; a keyword of a known call is no other parameter") {
  CHECK(found("TASK_QUEUE_ENABLE (see the guide)") == "TASK_QUEUE_ENABLE");
  CHECK(found("设置`TASK_QUEUE_ENABLE`(参见文档)") == "TASK_QUEUE_ENABLE");
  CHECK(found("`torch_npu.npu.set_compile_mode(jit_compile=False)`") ==
        "torch_npu.npu.set_compile_mode=jit_compile=False");
}

TEST_CASE("what carries a known parameter is none itself; what only looks like it is") {
  CHECK(found("torch.utils.data.DataLoader(dataset, num_workers=8)") == "num_workers=8");
  CHECK(found("`torch.nn.parallel.DistributedDataParallel(model, static_graph=True)`") == "static_graph=True");
  CHECK(found("`torch.distributed.all_reduce(x, async_op=True)`") == "async_op=True");
  CHECK(found("config = torchair.CompilerConfig()") == "");
  CHECK(found("`torch_npu.turbo.DataLoader(dataset)`") == "torch_npu.turbo.DataLoader=dataset");
  CHECK(found("`torch.distributed.all_turbo(x)`") == "torch.distributed.all_turbo=x");
}

TEST_CASE("a variable in place of a value is none; a word that could be meant as one is") {
  CHECK(found("DistributedDataParallel(model, bucket_cap_mb=megabytes)") == "bucket_cap_mb");
  CHECK(found("`options = {\"ge.aicoreNum\": cores}`") == "ge.aicoreNum");
  CHECK(found("`options = {\"ge.aicoreNum\": \"cores\"}`") == "ge.aicoreNum=cores");
  CHECK(found("atc --aicore_num=\"$CORES\"") == "--aicore_num");
  CHECK(found("export TASK_QUEUE_ENABLE=two") == "TASK_QUEUE_ENABLE=two");
  CHECK(found("--precision_mode=allow_hf32") == "--precision_mode=allow_hf32");
  CHECK(found("torch_npu.optim.NpuFusedAdamW(model.parameters())") == "torch_npu.optim.NpuFusedAdamW");
  CHECK(found("torch_npu.npu.set_compile_mode(jit_compile = False)") ==
        "torch_npu.npu.set_compile_mode=jit_compile = False");
}

TEST_CASE("the metrics of docs/metrics.md are quoted, not set") {
  const auto page = read_small_file("docs/metrics.md", 1u << 20);
  REQUIRE(page);
  size_t metrics = 0;
  for (size_t at = page->find("| `"); at != page->npos; at = page->find("| `", at + 1)) {
    const size_t end = page->find('`', at + 3);
    const std::string name = page->substr(at + 3, end - at - 3);
    if (name.find('.') == name.npos || name.find_first_of(" ,*()") != name.npos) continue;
    ++metrics;
    CHECK(found("Trigger: " + name + " = 0.41 in this profile.") == "");
  }
  CHECK(metrics > 20);
}

TEST_CASE("cost: twice the text, at most twice the steps, whatever it holds") {
  const auto steps = [](const std::string& unit, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += unit;
    size_t taken = 0;
    finder().find(text, taken);
    return static_cast<double>(taken);
  };
  for (const char* unit : {"Some prose with TASK_QUEUE_ENABLE=2 in it.\n",
                           "torch.a(",
                           "<",
                           "<!--",
                           "&#",
                           "`",
                           "` ``",
                           "[",
                           "[a](",
                           "](",
                           "~",
                           "*",
                           "TASK_",
                           "A_\n",
                           "a.",
                           "--a",
                           "--a-",
                           "x_y=",
                           "export A=",
                           "{\"a_b\": ",
                           "((((",
                           "\\",
                           "> ",
                           "    x\n\n",
                           "- - ",
                           "| A_B ",
                           "[x]: ",
                           "_",
                           "torch_npu.f(1, "}) {
    INFO(unit);
    const double once = steps(unit, 4'000), twice = steps(unit, 8'000);
    CHECK(twice <= 2.1 * once);
  }
}

TEST_CASE("a megabyte of Markdown, deep nesting: nothing in it is lost") {
  std::string text;
  while (text.size() < (1u << 20)) text += "> > - * nested **text** with `code` ((([[[{{{ and <b>tags</b>\n";
  text += "\n\nexport NPU_TURBO_MODE=1\n";
  CHECK(found(text) == "NPU_TURBO_MODE=1");
}

TEST_CASE("what every model on a device calls is no parameter; what is made up beside it is") {
  CHECK(found("```python\ntorch.npu.set_device(0)\ntorch_npu.npu.synchronize()\n```") == "");
  CHECK(found("```python\ntorch.npu.set_turbo(1)\n```") == "torch.npu.set_turbo=1");
}

}  // namespace stepwise::advice
