// Rows of the graph tables as text, for the readers' tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/exports/tables_test_files.h"

namespace stepwise::ingest {

inline std::vector<std::string> node_rows(Tables& tables, const std::vector<std::string_view>& columns) {
  std::vector<std::string> out;
  for (uint64_t i = 0; i < tables.rows(table::graph_node::kTable); ++i) {
    out.push_back(tables.row(table::graph_node::kTable, i, columns));
  }
  return out;
}

/// "0:1>3:0 data": output 1 of node 0 is input 0 of node 3.
inline std::vector<std::string> edge_rows(Tables& tables) {
  std::vector<std::string> out;
  for (uint64_t i = 0; i < tables.rows(table::graph_edge::kTable); ++i) {
    const auto cell = [&](std::string_view column) { return tables.row(table::graph_edge::kTable, i, {column}); };
    out.push_back(cell("src_id") + ":" + cell("src_index") + ">" + cell("dst_id") + ":" + cell("dst_index") + " " +
                  cell("kind"));
  }
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace stepwise::ingest
