#include "clients/example/summary_writers.h"

namespace stepwise::example {
namespace {

/// One form is a text; several are a list, as later exporters write any.
std::string_view export_type(Export form) {
  switch (form) {
    case Export::text:
      break;
    case Export::db:
      return "\"db\"";
    case Export::both:
      return "[\n                \"text\",\n                \"db\"\n            ]";
  }
  return "\"text\"";
}

/// Megatron's own words about its layout.
void write_layout(TextFile& file, const Facts& facts, int rank) {
  file.text(R"(    "distributed_args": {
        "tensor_model_parallel_size": )")
      .integer(facts.llm.tensor)
      .text(R"(,
        "pipeline_model_parallel_size": )")
      .integer(facts.llm.pipeline)
      .text(R"(,
        "data_parallel_size": )")
      .integer(facts.llm.data)
      .text(R"(,
        "context_parallel_size": 1,
        "expert_model_parallel_size": 1,
        "sequence_parallel": false,
        "rank": )")
      .integer(rank)
      .text(R"(,
        "world_size": )")
      .integer(facts.world_size)
      .text("\n    },\n");
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
            "profile_memory": true,
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
            "_export_type": )")
      .text(export_type(facts.form))
      .text(R"(,
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

Result<int64_t> write_profiler_metadata(const std::filesystem::path& path, const Facts& facts, const Topology& topology,
                                        int rank) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text("{\n");
  if (facts.kind == ExampleKind::llm_train) write_layout(file, facts, rank);
  file.text(R"(    "ENV_VARIABLES": {
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
    const Communicator& communicator = topology.of(rank, static_cast<Group>(group));
    file.text(group == 0 ? "\n" : ",\n").text("        \"").text(communicator.hash);
    file.text("\": {\n            \"group_name\": \"").text(topology.name(communicator.group));
    file.text("\",\n            \"group_rank\": ").integer(communicator.position(rank));
    file.text(",\n            \"global_ranks\": [");
    for (size_t member = 0; member < communicator.ranks.size(); ++member) {
      file.text(member == 0 ? "\n                " : ",\n                ").integer(communicator.ranks[member]);
    }
    file.text("\n            ]\n        }");
  }
  file.text("\n    }\n}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
