#include "clients/example/summary_writers.h"

namespace stepwise::example {
namespace {

std::string_view group_name(int group) {
  constexpr std::string_view kNames[] = {"default_group", "embedding_fetch", "embedding_update"};
  return kNames[group];
}

}  // namespace

Result<int64_t> write_profiler_info(const std::filesystem::path& path, const Facts& facts, int rank,
                                    const Tally& tally) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  const int64_t monotonic_ns = 172'163'000'000'000 + rank * 1'000'000;
  const int64_t run_ns = tally.last_ns - facts.origin_ns;
  file.text(R"({
    "config": {
        "common_config": {
            "activities": [
                "ProfilerActivity.CPU",
                "ProfilerActivity.NPU"
            ],
            "schedule": {
                "wait": 0,
                "active": )")
      .integer(facts.steps)
      .text(R"(,
                "warmup": 1,
                "repeat": 1,
                "skip_first": )")
      .integer(facts.first_step - 1)
      .text(R"(
            },
            "record_shapes": true,
            "profile_memory": false,
            "with_stack": true,
            "with_flops": false,
            "with_modules": true
        },
        "experimental_config": {
            "_profiler_level": "Level1",
            "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
            "_l2_cache": false,
            "_msprof_tx": false,
            "_data_simplification": true,
            "record_op_args": false,
            "_export_type": "text",
            "_op_attr": false,
            "_gc_detect_threshold": null
        }
    },
    "start_info": {
        "syscnt_enable": true,
        "freq": 100,
        "start_cnt": )")
      .integer(monotonic_ns / 10)
      .text(R"(,
        "start_monotonic": )")
      .integer(monotonic_ns)
      .text(R"(
    },
    "end_info": {
        "collectionTimeEnd": )")
      .integer(facts.origin_ns + run_ns + 2'000'000)
      .text(R"(,
        "MonotonicTimeEnd": )")
      .integer(monotonic_ns + run_ns + 2'000'000)
      .text(R"(
    },
    "rank_id": )")
      .integer(rank)
      .text("\n}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

Result<int64_t> write_profiler_metadata(const std::filesystem::path& path, const Facts& facts, int rank) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(R"({
    "ENV_VARIABLES": {
        "ASCEND_GLOBAL_LOG_LEVEL": "",
        "HCCL_RDMA_TC": "",
        "HCCL_RDMA_SL": "",
        "ACLNN_CACHE_LIMIT": "",
        "HOST_CACHE_CAPACITY": "",
        "ASCEND_ENHANCE_ENABLE": "",
        "PYTORCH_NPU_ALLOC_CONF": "",
        "ASCEND_LAUNCH_BLOCKING": ""
    },
    "parallel_group_info": {)");
  for (int group = 0; group < kGroups; ++group) {
    file.text(group == 0 ? "\n" : ",\n").text("        \"").text(kGroupHashes[static_cast<size_t>(group)]);
    file.text("\": {\n            \"group_name\": \"").text(group_name(group));
    file.text("\",\n            \"group_rank\": ").integer(rank).text(",\n            \"global_ranks\": [");
    for (int member = 0; member < facts.world_size; ++member) {
      file.text(member == 0 ? "\n                " : ",\n                ").integer(member);
    }
    file.text("\n            ]\n        }");
  }
  file.text("\n    }\n}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
