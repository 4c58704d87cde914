// PyTorch's execution traces: {"schema": "1.0.1", ..., "nodes": [...]}, one node a call. Newer ones (Chakra) put what
// goes in and out into objects, and most fields into a list of attributes. A call stands behind those made in it; ids
// were given when calls began.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/graph/graph_records.h"

namespace stepwise::ingest {

struct TensorUse {
  int64_t id = 0;
  std::string shape, dtype;
};

struct TracedCall {
  int64_t id = 0;
  std::optional<int64_t> thread;  // as PyTorch numbers them, from 1: not the system's
  std::vector<int64_t> parents;
  std::vector<TensorUse> inputs, outputs;
  bool has_arguments = false;
};

struct TracedNodes {
  std::vector<GraphNode> nodes;    // external_id: the record function's; null: a frame of the trace's own
  std::vector<TracedCall> calls;   // of the nodes
  std::optional<int64_t> process;  // the system's number of it
  uint64_t left_out = 0;           // beyond kMaxGraphNodes
};

/// nullopt: the file has no byte that can be read. Damage is counted. Errors: cancelled.
Result<std::optional<TracedNodes>> read_traced_nodes(const std::filesystem::path& file,
                                                     const std::string& relative_path, IngestContext& context);

}  // namespace stepwise::ingest
