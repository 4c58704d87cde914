// Device time of a graph's operators: the kernels that bear their names, or their types.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph.h"

namespace stepwise::graph_fusion {

struct OperatorTimes {
  const char* matched_by = "none";               // node_name, op_type, none
  std::vector<std::optional<int64_t>> total_ns;  // by node, over all executions; empty where nothing matches
  uint64_t matched = 0;                          // operators with a time

  bool any() const { return matched > 0; }
};

/// By name if at least half as many operators find a kernel by name as by type. Several operators of one name, or of
/// one type, share its time equally, to the ns: every execution counts once.
OperatorTimes match_kernels(const sdk::Call& call, const sdk::TableView& kernels, const sdk::TableView& nodes,
                            const Graph& graph);

}  // namespace stepwise::graph_fusion
