// Every table of Stepwise. rank, id (the row number) and src_file are properties of the segment, shown by SQL as
// columns; they are not stored for each row.
#pragma once

#include <span>
#include <string_view>

#include "stepwise/tables_cluster.hpp"
#include "stepwise/tables_device.hpp"
#include "stepwise/tables_graph.hpp"
#include "stepwise/tables_host.hpp"
#include "stepwise/tables_memory.hpp"
#include "stepwise/tables_summary.hpp"

namespace stepwise::table {

inline constexpr const TableDecl* kAllTables[] = {
    &kernel::kTable,
    &kernel_link::kTable,
    &device_task::kTable,
    &aicpu_task::kTable,
    &overlap_span::kTable,
    &counter::kTable,
    &host_op::kTable,
    &runtime_api::kTable,
    &python_call::kTable,
    &python_link::kTable,
    &queue::kTable,
    &flow::kTable,
    &step_range::kTable,
    &track::kTable,
    &step::kTable,
    &op_stat::kTable,
    &op_name_stat::kTable,
    &fusion_op::kTable,
    &api_stat::kTable,
    &op_detail::kTable,
    &comm_op::kTable,
    &comm_link::kTable,
    &comm_packet::kTable,
    &comm_matrix::kTable,
    &memory::kTable,
    &memory_block::kTable,
    &module_memory::kTable,
    &static_memory::kTable,
    &l2_cache::kTable,
    &cluster_step::kTable,
    &cluster_comm_op::kTable,
    &cluster_comm_link::kTable,
    &cluster_comm_matrix::kTable,
    &comm_group::kTable,
    &graph_node::kTable,
    &graph_edge::kTable,
    &meta::kTable,
    &diagnostic::kTable,
};

/// nullptr: no such table.
constexpr const TableDecl* find_table(std::string_view name) {
  for (const TableDecl* decl : kAllTables) {
    if (decl->name == name) return decl;
  }
  return nullptr;
}

}  // namespace stepwise::table
