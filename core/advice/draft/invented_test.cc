// What a draft makes up: values, arguments and spellings that no source knows are refused, and what is right is named.
#include <algorithm>
#include <string>

#include "core/advice/draft/rewrites_test.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

Json item_of(const Gate& gate, const std::string& text) {
  const std::string items[] = {text};
  return validate(gate, {}, items, "en")["items"][0];
}

std::string said(const Gate& gate, const std::string& text) {
  const Json item = item_of(gate, text);
  const auto rule = item["rule"].get<std::string>();
  return item["verdict"].get<std::string>() + (rule.empty() ? "" : " " + rule);
}

}  // namespace

TEST_CASE("an invented word behind an option is no variable: it is refused, and the right name is told") {
  for (const char* text :
       {"Set `--autofuse_enable_pass=scatter`.", "Set `--autofuse_enable_pass=foo`.", "Use --autofuse_enable_pass=all",
        "Set `--autofuse_disable_pass=foo`.", "Set `--max_fusion_size=unlimited`.", "Set `ge.aicoreNum=all`.",
        "Set ge.aicoreNum=max", "Set `ge.aicoreNum` to `max`.",
        "Set `AUTOFUSE_FLAGS=\"--enable_autofuse=true;--autofuse_enable_pass=reduce,scatter\"`."}) {
    INFO(text);
    const Json item = item_of(compiled(), text);
    CHECK(item["verdict"] == "refused");
    CHECK(item["rule"] == "R1");
    CHECK_FALSE(item["nearest"].empty());
    CHECK(fault_of_rewrites(compiled(), text, "en") == "");
  }
  const Json scatter = item_of(compiled(), "Set `--autofuse_enable_pass=scatter`.");
  CHECK(scatter["nearest"][0] == "--autofuse_enable_pass");
  CHECK(scatter["rewrite"].get<std::string>().find("--autofuse_enable_pass") != std::string::npos);
  for (const char* text : {"Set `bucket_cap_mb=unlimited`.", "Call `gc.set_threshold(huge)`.",
                           "Set prefetch_factor=infinite.", "```python\nDDP(model, bucket_cap_mb=unlimited)\n```",
                           "Use `DistributedDataParallel(model, bucket_cap_mb=unlimited)`."}) {
    INFO(text);
    CHECK(said(eager(), text) == "refused R1");
  }
}

TEST_CASE("a variable that the text defines is what it was given; one that it does not says nothing") {
  CHECK(said(eager(), "X=9; export TASK_QUEUE_ENABLE=$X") == "refused R1");
  CHECK(said(eager(), "```bash\nX=2\nexport TASK_QUEUE_ENABLE=$X\n```") == "accepted");
  CHECK(said(eager(), "export TASK_QUEUE_ENABLE=${X:-9}") == "refused R1");
  CHECK(said(eager(), "export TASK_QUEUE_ENABLE=$X") == "downgraded R1");
  CHECK(said(eager(), "```python\nbucket_mb = 50\nDDP(model, bucket_cap_mb=bucket_mb)\n```") == "accepted");
  CHECK(said(eager(), "```python\nbucket_mb = -1\nDDP(model, bucket_cap_mb=bucket_mb)\n```") == "refused R1");
  CHECK(said(eager(), "```python\nDDP(model, bucket_cap_mb=foo)\n```") == "downgraded R1");
  // What a variable is named for says what stands in it.
  CHECK(said(eager(), "```python\nDDP(model, bucket_cap_mb=megabytes)\n```") == "accepted");
}

TEST_CASE("values in words and underscores that only look like one") {
  CHECK(said(eager(), "设置TASK_QUEUE_ENABLE为九") == "refused R1");
  CHECK(said(eager(), "Set TASK_QUEUE_ENABLE to nine.") == "refused R1");
  CHECK(said(eager(), "Set TASK_QUEUE_ENABLE to two.") == "accepted");
  CHECK(said(eager(), "NPU\u203FOPS\u203FSYNC=0") == "refused R1");
}

TEST_CASE("arguments that a call of everybody's does not have are refused; those that it has are not") {
  for (const char* text :
       {"`DataLoader(ds, turbo=True)`", "Use `torch.utils.data.DataLoader(ds, turbo=True)`",
        "`torch.distributed.init_process_group(backend='hccl', turbo=True)`", "`DDP(model, super_overlap=True)`",
        "`torch.distributed.all_reduce(x, async_op=True, turbo=1)`", "Set hccl_config: {hccl_buffer_size: 400}",
        "Set mindspore.set_context(turbo=True)"}) {
    INFO(text);
    CHECK(said(eager(), text) == "refused R1");
    CHECK(fault_of_rewrites(eager(), text, "en") == "");
  }
  for (const char* text :
       {"`DataLoader(ds, num_workers=8, batch_size=4, shuffle=True)`", "`DDP(model, device_ids=[0], bucket_cap_mb=50)`",
        "`torch.distributed.init_process_group(backend='hccl', init_method='env://', timeout=t)`",
        "`trainer.init_process_group(turbo=True)`"}) {
    INFO(text);
    CHECK(said(eager(), text) == "accepted");
  }
}

TEST_CASE("what a source says not to recommend is refused, with what to use instead") {
  for (const char* text : {"Set `--allow_hf32=true`.", "Set `ge.exec.allow_hf32=true`."}) {
    const Json item = item_of(compiled(), text);
    CHECK(item["verdict"] == "refused");
    CHECK(item["nearest"][0] == "torch_npu.npu.matmul.allow_hf32");
  }
}

TEST_CASE("the end of a name that several have is not taken for the wrong one of them") {
  for (const char* text :
       {"Set `matmul.allow_hf32=True`", "Set `torch.npu.matmul.allow_hf32=True`; allow_hf32 changes numerics.",
        "Set `allow_hf32=True`."}) {
    INFO(text);
    CHECK(said(eager(), text) == "accepted");
  }
  CHECK(said(eager(), "Set `conv.allow_hf32=True`") == "refused R2");  // the default
}

}  // namespace stepwise::advice
