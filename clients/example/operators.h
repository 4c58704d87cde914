// Operators as the profiler shows them: framework calls, the driver calls they lead to, device kernels; and how
// models' catalogs build them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::example {

enum class Core : uint8_t { ai_core, vector, mix_aiv, ai_cpu, mix_aic };
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
  int stage = -1;                 // of a step (program.h), where its own name says another than its range
};

/// A collective as the framework calls it.
struct CollectiveSpec {
  std::string outer, inner;  // c10d::allreduce_, HcclAllreduce
  std::string type;          // hcom_allReduce_
  std::string kind;          // allreduce: as the digest of links says
  std::string algorithm;     // MESH-RING
  std::string data_type;     // FP32
  std::string task;          // what a plane does: Reduce_Inline, Memcpy
  std::string dims, types;
  int64_t elements = 0, bytes_per_link = 0;
  bool point_to_point = false, receives = false;
};

std::string dims(std::initializer_list<int64_t> sizes);       // 8,16
std::string tensors(const std::vector<std::string>& shapes);  // joined by ';'
std::string repeated(std::string_view word, size_t count);    // joined by ';'

KernelSpec kernel(std::string name, std::string type, Core core, std::string in, std::string out, int64_t base_ns,
                  int block_dim, std::string_view dtype = "FLOAT");
Launch launch(std::string call, std::vector<KernelSpec> kernels, bool workspace = false);
/// aten::name [empty_tensor, aclnnCall]: the commonest form.
OpSpec simple(std::string name, std::string shapes, std::string types, Launch work);
/// The autograd engine's wrapping of a backward operator.
OpSpec backward(const std::string& name, const std::string& shape, std::vector<CallNode> inner,
                std::vector<Launch> launches, std::string_view type = "float");
OpSpec host_to_device(const std::string& shape, const std::string& type, int64_t copy_ns, bool waits);
OpSpec foreach_op(std::string name, const std::string& call, const std::string& type, int64_t base_ns);
/// Reads one number back: ends in a synchronisation.
OpSpec read_back();

}  // namespace stepwise::example
