#include "core/ingest/cluster/cluster_rows.h"

#include "stepwise/tables_cluster.hpp"

namespace stepwise::ingest {
namespace {

store::TableBuilder& rows_of(const table::TableDecl& decl, const std::string& file, store::SegmentBuilder& out) {
  if (!out.has(decl)) out.set_source_file(decl, file);
  return out.table(decl);
}

}  // namespace

void append_cluster_operation(const CommOperation& operation, int64_t rank, const std::string& file,
                              store::SegmentBuilder& out) {
  namespace op = table::cluster_comm_op;
  namespace link = table::cluster_comm_link;
  store::TableBuilder &ops = rows_of(op::kTable, file, out), &links = rows_of(link::kTable, file, out);
  const auto id = static_cast<int64_t>(ops.rows());
  ops.append_or_null(op::step, operation.key.step);
  ops.append(op::name, operation.key.name);
  ops.append(op::kind, operation.key.kind);
  ops.append_or_null(op::group_id, operation.key.group);
  ops.append_or_null(op::group_ranks, operation.key.ranks);
  ops.append(op::of_rank, rank);
  ops.append_or_null(op::start_ns, operation.start_ns);
  ops.append(op::elapse_ns, *operation.elapse_ns);
  ops.append(op::transit_ns, *operation.transit_ns);
  ops.append(op::wait_ns, *operation.wait_ns);
  ops.append(op::sync_ns, *operation.sync_ns);
  ops.append(op::idle_ns, *operation.idle_ns);
  ops.append(op::src_pos, operation.key.place);
  ops.end_row();
  for (const CommLink& by : operation.links) {
    links.append(link::cluster_comm_op_id, id);
    links.append(link::transport, by.transport);
    links.append(link::bytes, *by.bytes);
    links.append(link::transit_ns, *by.transit_ns);
    links.append_or_null(link::bandwidth_gb_s, by.bandwidth_gb_s);
    links.append_or_null(link::large_packet_ratio, by.large_packet_ratio);
    links.end_row();
  }
}

void append_cluster_link(const OperationKey& key, const MatrixLink& link, const std::string& file,
                         store::SegmentBuilder& out) {
  namespace matrix = table::cluster_comm_matrix;
  store::TableBuilder& rows = rows_of(matrix::kTable, file, out);
  rows.append_or_null(matrix::step, key.step);
  rows.append(matrix::name, key.name);
  rows.append(matrix::kind, key.kind);
  rows.append_or_null(matrix::group_id, key.group);
  rows.append_or_null(matrix::group_ranks, key.ranks);
  rows.append(matrix::src_rank, *link.src_rank);
  rows.append(matrix::dst_rank, *link.dst_rank);
  rows.append_or_null(matrix::transport, link.transport);
  rows.append(matrix::bytes, *link.bytes);
  rows.append(matrix::transit_ns, *link.transit_ns);
  rows.append_or_null(matrix::bandwidth_gb_s, link.bandwidth_gb_s);
  rows.append_or_null(matrix::op_name, operation_behind(key.name, link.operation));
  rows.append(matrix::src_pos, key.place);
  rows.end_row();
}

void append_group(const CommGroup& group, const std::string& file, store::SegmentBuilder& out) {
  namespace column = table::comm_group;
  store::TableBuilder& rows = rows_of(column::kTable, file, out);
  rows.append(column::kind, group.kind);
  rows.append(column::ranks, group.ranks);
  rows.append_or_null(column::group_id, group.hash);
  rows.append_or_null(column::group_name, group.name);
  rows.append_or_null(column::parallel, group.parallel);
  rows.append(column::src_pos, group.place);
  rows.end_row();
}

}  // namespace stepwise::ingest
