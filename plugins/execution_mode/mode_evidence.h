// What a profile shows of its execution mode: counts with the place of the first instance. No verdict yet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stepwise/sdk.hpp"

namespace stepwise::execution_mode {

/// What made a fused kernel, by its name's beginning.
enum class FusedBy : uint8_t { none, autofuse, triton, dvm, mlir };
inline constexpr size_t kFusedKinds = 5;
FusedBy fused_by(std::string_view name);

/// Something counted, and where it stands first.
struct Sighting {
  uint64_t count = 0;
  int64_t total_ns = 0;
  std::string first_name, file;
  int64_t first_row = 0;

  void see(std::string_view name, int64_t ns, std::string_view in_file, int64_t row);
};

struct ModeEvidence {
  static constexpr int64_t kSingleOperator = 4294967295;  // the Model ID of work that belongs to no graph

  bool saw_kernels = false, saw_op_types = false, saw_host_calls = false;
  std::string operators_file, host_calls_file;  // what was looked at

  // Compute rows (communication rows prove nothing about the mode).
  uint64_t compute_rows = 0;
  Sighting aclnn_named, otherwise_named;
  std::array<Sighting, kFusedKinds> fused;

  // Model IDs, of all device rows.
  Sighting single_operator_rows, graph_rows;
  uint64_t compute_rows_without_model_id = 0;

  // Host calls.
  Sighting model_execute;  // GE runs a graph
  Sighting
      runtime_model_execute;  // a call of that name in the runtime only: also what replaying a captured graph makes
  Sighting graph_replay;      // a captured NPU graph is replayed

  // Graphs that were dumped beside the run, by what they are of. What an execution trace recorded is no such graph.
  Sighting graph_dumps;

  // What launched the computation kernels: a proof on GPUs, elsewhere evidence beside others.
  bool is_gpu = false;
  bool saw_launches = false;
  Sighting by_operator;        // a framework operator
  Sighting by_no_operator;     // a call outside any: a library of its own, a bare range
  Sighting launch_not_seen;    // e.g. before recording began
  Sighting cuda_graph_launch;  // calls that launch a captured CUDA graph
  Sighting single_launch;      // calls that launch one kernel
  Sighting in_graph;           // kernels whose launching call launches a graph; none of the three above

  /// Computation kernels, by what launched them.
  uint64_t kernels_looked_at() const {
    return by_operator.count + by_no_operator.count + launch_not_seen.count + in_graph.count;
  }
  int64_t kernels_looked_at_ns() const {
    return by_operator.total_ns + by_no_operator.total_ns + launch_not_seen.total_ns + in_graph.total_ns;
  }
  Sighting compiled_region;  // framework ranges of torch.compile
};

/// Links of the kernels to host calls; nothing is seen where there are none.
void look_at_launches(sdk::Call& call, uint32_t rank, const sdk::TableView& kernels, ModeEvidence& evidence);

ModeEvidence collect_mode_evidence(sdk::Call& call, uint32_t rank);

}  // namespace stepwise::execution_mode
