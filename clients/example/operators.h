// The model's operators as the profiler shows them: framework calls, the driver calls they lead to, device kernels.
// Sizes follow from the facts of a run. Immutable once built; everything else points into it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clients/example/facts.h"

namespace stepwise::example {

enum class Core : uint8_t { ai_core, vector, mix_aiv, ai_cpu };
const char* csv_core(Core core);    // as kernel_details and op_statistic say
const char* trace_task(Core core);  // as the timeline of January 2025 says: AI_CORE for vector kernels too

struct KernelSpec {
  std::string name, type;
  Core core = Core::vector;
  std::vector<std::string> input_shapes;  // one, or one for each of a cycle of steps
  std::string input_types, input_formats;
  std::string output_shapes, output_types, output_formats;
  int64_t base_ns = 0;  // typical duration
  int block_dim = 1;
  bool hf32 = false;
};

enum class Copy : uint8_t { none, to_device, to_host };

/// What one entry of the framework's task queue leads to.
struct Launch {
  std::string call;        // aclnnAddmm: also the queue entry's name
  bool workspace = false;  // asks for the workspace's size on the calling thread first
  std::vector<KernelSpec> kernels;
  Copy copy = Copy::none;
  int64_t copy_ns = 0;
};

/// One framework call; `depth` places it in the tree of the operator's calls.
struct CallNode {
  int depth = 0;
  std::string name;
  std::string dims, types;  // tensors by ';'
  int launch = -1;          // index into OpSpec::launches, launched at the call's end
};

struct OpSpec {
  std::vector<CallNode> nodes;  // pre-order
  std::vector<Launch> launches;
  int autograd_node = -1;         // the call that carries the sequence number: joins forward to backward
  bool waits_for_stream = false;  // ends in a synchronisation of its stream
};

/// A collective as the framework calls it.
struct CollectiveSpec {
  std::string outer, inner;  // c10d::allreduce_, HcclAllreduce
  std::string type;          // hcom_allReduce_
  std::string algorithm;     // MESH-RING
  std::string data_type;     // FP32
  std::string task;          // what a plane does: Reduce_Inline, Memcpy
  std::string dims, types;
  int64_t elements = 0, bytes_per_link = 0;
};

struct Catalog {
  explicit Catalog(const Facts& facts);
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  // data preprocessing
  OpSpec copy_labels, copy_ids, unique_ids, sort_ids, log_dense, cast_dense;
  // embedding fetch and update
  OpSpec lookup, concat_embeddings, embedding_grad, embedding_update;
  // forward and backward: pairs of the same index
  OpSpec interaction, linear, relu, layer_norm, loss;
  OpSpec interaction_grad, linear_grad, relu_grad, layer_norm_grad, loss_grad;
  // dense update and the end of the step
  OpSpec foreach_mul, foreach_addcmul, foreach_sqrt, foreach_addcdiv, foreach_zero, item;

  CollectiveSpec exchange_ids, exchange_embeddings, reduce_gradients, exchange_gradients;
};

}  // namespace stepwise::example
