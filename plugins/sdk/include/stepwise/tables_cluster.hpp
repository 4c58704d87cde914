// Tables of what a cluster analysis wrote about all ranks (cluster_analysis_output).
#pragma once

#include "stepwise/table.hpp"

namespace stepwise::table {

// clang-format off: one column a line
namespace cluster_step {
inline constexpr ColumnDecl kColumns[] = {
    optional_i64("step", Unit::none, "the profiler's own number"),
    required_code("kind", "rank, stage"),
    optional_i64("of_rank", Unit::none, "the rank; null: a stage"),
    optional_code("stage_ranks", "a stage's ranks by ','"),
    optional_i64("computing_ns", Unit::ns, "union of computation"),
    optional_i64("communication_ns", Unit::ns, "union of communication"),
    optional_i64("not_overlapped_ns", Unit::ns, "communication not hidden by computation"),
    optional_i64("overlapped_ns", Unit::ns, "communication hidden by computation"),
    optional_i64("free_ns", Unit::ns, "neither"),
    optional_i64("stage_ns", Unit::ns, "last end minus first start, minus bubble"),
    optional_i64("bubble_ns", Unit::ns, "receiving from another pipeline stage"),
    optional_i64("not_overlapped_exclude_receive_ns", Unit::ns, "not overlapped without bubble"),
    optional_i64("preparing_ns", Unit::ns, "first device work minus host start"),
    optional_i64("dp_index", Unit::none, "data parallel"),
    optional_i64("pp_index", Unit::none, "pipeline parallel"),
    optional_i64("tp_index", Unit::none, "tensor parallel"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{
    "cluster_step", "", kColumns,
    "one step of one rank, or of one pipeline stage: then each column is the largest of its ranks"};
SW_COLUMN(step);
SW_COLUMN(kind);
SW_COLUMN(of_rank);
SW_COLUMN(stage_ranks);
SW_COLUMN(computing_ns);
SW_COLUMN(communication_ns);
SW_COLUMN(not_overlapped_ns);
SW_COLUMN(overlapped_ns);
SW_COLUMN(free_ns);
SW_COLUMN(stage_ns);
SW_COLUMN(bubble_ns);
SW_COLUMN(not_overlapped_exclude_receive_ns);
SW_COLUMN(preparing_ns);
SW_COLUMN(dp_index);
SW_COLUMN(pp_index);
SW_COLUMN(tp_index);
SW_COLUMN(src_pos);
}  // namespace cluster_step

namespace cluster_comm_op {
inline constexpr ColumnDecl kColumns[] = {
    optional_i64("step", Unit::none, "the profiler's own number"),
    required_code("name", "operation"),
    required_code("kind", "collective, p2p"),
    optional_code("group_id", "communication group's hash"),
    optional_code("group_ranks", "the group's ranks by ','"),
    required_i64("of_rank", Unit::none, "the rank"),
    optional_i64("start_ns", Unit::ns, "Unix ns; the file is exact to about 0.25 us"),
    required_i64("elapse_ns", Unit::ns, "transit + wait + idle"),
    required_i64("transit_ns", Unit::ns, "moving data"),
    required_i64("wait_ns", Unit::ns, "waiting for other ranks"),
    required_i64("sync_ns", Unit::ns, "part of wait before the first transfer"),
    required_i64("idle_ns", Unit::ns, "neither"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"cluster_comm_op", "", kColumns,
                                  "one communication operation as one rank of its group saw it"};
SW_COLUMN(step);
SW_COLUMN(name);
SW_COLUMN(kind);
SW_COLUMN(group_id);
SW_COLUMN(group_ranks);
SW_COLUMN(of_rank);
SW_COLUMN(start_ns);
SW_COLUMN(elapse_ns);
SW_COLUMN(transit_ns);
SW_COLUMN(wait_ns);
SW_COLUMN(sync_ns);
SW_COLUMN(idle_ns);
SW_COLUMN(src_pos);
}  // namespace cluster_comm_op

namespace cluster_comm_link {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("cluster_comm_op_id", Unit::none, "row in cluster_comm_op"),
    required_code("transport", "RDMA, HCCS, PCIE, SDMA, SIO"),
    required_i64("bytes", Unit::bytes, "moved"),
    required_i64("transit_ns", Unit::ns, "time of moving"),
    optional_f64("bandwidth_gb_s", Unit::none, "GB/s, as the file says"),
    optional_f64("large_packet_ratio", Unit::ratio, "share of large packets"),
};
inline constexpr TableDecl kTable{
    "cluster_comm_link", "", kColumns,
    "traffic of such an operation by transport; SDMA repeats HCCS + PCIE + SIO, so transports are never added"};
SW_COLUMN(cluster_comm_op_id);
SW_COLUMN(transport);
SW_COLUMN(bytes);
SW_COLUMN(transit_ns);
SW_COLUMN(bandwidth_gb_s);
SW_COLUMN(large_packet_ratio);
}  // namespace cluster_comm_link

namespace cluster_comm_matrix {
inline constexpr ColumnDecl kColumns[] = {
    optional_i64("step", Unit::none, "the profiler's own number"),
    required_code("name", "operation, or its digest"),
    required_code("kind", "collective, p2p"),
    optional_code("group_id", "communication group's hash"),
    optional_code("group_ranks", "the group's ranks by ','"),
    required_i64("src_rank", Unit::none, "sender"),
    required_i64("dst_rank", Unit::none, "receiver; equal to the sender: a local copy"),
    optional_code("transport", "LOCAL, HCCS, PCIE, RDMA, SDMA, SIO"),
    required_i64("bytes", Unit::bytes, "moved"),
    required_i64("transit_ns", Unit::ns, "time of moving"),
    optional_f64("bandwidth_gb_s", Unit::none, "GB/s, as the file says"),
    optional_code("op_name", "the operation behind a digest; null for totals"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{
    "cluster_comm_matrix", "", kColumns,
    "traffic between two ranks, all ranks global; totals repeat the others, so rows are never added"};
SW_COLUMN(step);
SW_COLUMN(name);
SW_COLUMN(kind);
SW_COLUMN(group_id);
SW_COLUMN(group_ranks);
SW_COLUMN(src_rank);
SW_COLUMN(dst_rank);
SW_COLUMN(transport);
SW_COLUMN(bytes);
SW_COLUMN(transit_ns);
SW_COLUMN(bandwidth_gb_s);
SW_COLUMN(op_name);
SW_COLUMN(src_pos);
}  // namespace cluster_comm_matrix

namespace comm_group {
inline constexpr ColumnDecl kColumns[] = {
    required_code("kind", "collective, p2p"),
    required_code("ranks", "its ranks by ','"),
    optional_code("group_id", "hash, as in comm_op.group_id"),
    optional_code("group_name", "ip%nic_port_n_ts"),
    optional_code("parallel", "tp, pp, dp, mp, embd, default_group..."),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"comm_group", "", kColumns, "one communication group of the cluster"};
SW_COLUMN(kind);
SW_COLUMN(ranks);
SW_COLUMN(group_id);
SW_COLUMN(group_name);
SW_COLUMN(parallel);
SW_COLUMN(src_pos);
}  // namespace comm_group

// clang-format on

}  // namespace stepwise::table
