#include "core/advice/gate/signatures.h"

#include <algorithm>
#include <array>
#include <span>

namespace stepwise::advice {
namespace {

using Words = std::span<const std::string_view>;

// Of PyTorch's documentation, each version's keywords together: https://pytorch.org/docs/stable.
constexpr auto kDataLoader = std::to_array<std::string_view>(
    {"dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn", "pin_memory",
     "drop_last", "timeout", "worker_init_fn", "multiprocessing_context", "generator", "prefetch_factor",
     "persistent_workers", "pin_memory_device", "in_order"});
constexpr auto kParallel = std::to_array<std::string_view>(
    {"module", "device_ids", "output_device", "dim", "broadcast_buffers", "init_sync", "process_group", "bucket_cap_mb",
     "find_unused_parameters", "check_reduction", "gradient_as_bucket_view", "static_graph",
     "delay_all_reduce_named_params", "param_to_hook_all_reduce", "mixed_precision", "device_mesh",
     "skip_all_reduce_unused_params"});
constexpr auto kProcessGroup =
    std::to_array<std::string_view>({"backend", "init_method", "timeout", "world_size", "rank", "store", "group_name",
                                     "pg_options", "device_id", "ranks", "group_desc", "use_local_synchronization"});
constexpr auto kCollective = std::to_array<std::string_view>({"tensor",
                                                              "tensors",
                                                              "tensor_list",
                                                              "input",
                                                              "output",
                                                              "input_tensor",
                                                              "output_tensor",
                                                              "input_list",
                                                              "output_list",
                                                              "output_tensor_list",
                                                              "input_tensor_list",
                                                              "output_tensor_lists",
                                                              "op",
                                                              "group",
                                                              "async_op",
                                                              "src",
                                                              "dst",
                                                              "group_src",
                                                              "group_dst",
                                                              "scatter_list",
                                                              "gather_list",
                                                              "output_split_sizes",
                                                              "input_split_sizes",
                                                              "device_ids"});

struct Signature {
  std::string_view name;
  bool needs_module = false;  // torch.distributed or dist in front: alone it is another's
  Words keywords;
};
constexpr auto kSignatures = std::to_array<Signature>({{"DataLoader", false, kDataLoader},
                                                       {"DistributedDataParallel", false, kParallel},
                                                       {"DDP", false, kParallel},
                                                       {"init_process_group", false, kProcessGroup},
                                                       {"new_group", true, kProcessGroup},
                                                       {"all_reduce", true, kCollective},
                                                       {"all_gather", true, kCollective},
                                                       {"all_gather_into_tensor", true, kCollective},
                                                       {"reduce_scatter", true, kCollective},
                                                       {"reduce_scatter_tensor", true, kCollective},
                                                       {"all_to_all", true, kCollective},
                                                       {"all_to_all_single", true, kCollective},
                                                       {"broadcast", true, kCollective},
                                                       {"reduce", true, kCollective},
                                                       {"gather", true, kCollective},
                                                       {"scatter", true, kCollective},
                                                       {"barrier", true, kCollective}});

const Signature* find(std::string_view call) {
  const size_t dot = call.rfind('.');
  const std::string_view name = dot == call.npos ? call : call.substr(dot + 1);
  const std::string_view module = dot == call.npos ? std::string_view{} : call.substr(0, dot);
  const auto* const it =
      std::find_if(kSignatures.begin(), kSignatures.end(), [&](const Signature& one) { return one.name == name; });
  if (it == kSignatures.end()) return nullptr;
  const bool is_distributed = module == "dist" || module == "torch.distributed";
  if (it->needs_module) return is_distributed ? it : nullptr;
  const bool is_of_torch = module.empty() || is_distributed || module == "data" || module.starts_with("torch.utils.") ||
                           module.starts_with("torch.nn.parallel") || module == "nn.parallel";
  return is_of_torch ? it : nullptr;
}

}  // namespace

bool has_signature(std::string_view call) { return find(call) != nullptr; }

bool takes_keyword(std::string_view call, std::string_view keyword) {
  const Signature* signature = find(call);
  return signature != nullptr &&
         std::find(signature->keywords.begin(), signature->keywords.end(), keyword) != signature->keywords.end();
}

}  // namespace stepwise::advice
