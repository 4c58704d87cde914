// Tables that a profiler's summary files fill.
#pragma once

#include "stepwise/table.hpp"

namespace stepwise::table {

// clang-format off: one column a line
namespace step {
inline constexpr ColumnDecl kColumns[] = {
    optional_i64("step", Unit::none, "the profiler's own number"),
    optional_i64("device", Unit::none, "device id"),
    optional_i64("computing_ns", Unit::ns, "union of computation"),
    optional_i64("communication_ns", Unit::ns, "union of communication"),
    optional_i64("not_overlapped_ns", Unit::ns, "communication not hidden by computation"),
    optional_i64("overlapped_ns", Unit::ns, "communication hidden by computation"),
    optional_i64("free_ns", Unit::ns, "neither"),
    optional_i64("stage_ns", Unit::ns, "last end minus first start, minus bubble"),
    optional_i64("bubble_ns", Unit::ns, "receiving from another pipeline stage"),
    optional_i64("not_overlapped_exclude_receive_ns", Unit::ns, "not overlapped without bubble"),
    optional_i64("preparing_ns", Unit::ns, "first device work minus host start"),
    optional_i64("iteration_ns", Unit::ns, "the profiler's own iteration time (step_trace)"),
    optional_i64("start_ns", Unit::ns, "start, Unix ns"),
    optional_i64("end_ns", Unit::ns, "end, Unix ns"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{
    "step", "", kColumns,
    "one step as the profiler told it: decomposed (step_trace_time) or only timed (step_trace, "
    "decomposition null); null step: the run had no step annotation"};
SW_COLUMN(step);
SW_COLUMN(device);
SW_COLUMN(computing_ns);
SW_COLUMN(communication_ns);
SW_COLUMN(not_overlapped_ns);
SW_COLUMN(overlapped_ns);
SW_COLUMN(free_ns);
SW_COLUMN(stage_ns);
SW_COLUMN(bubble_ns);
SW_COLUMN(not_overlapped_exclude_receive_ns);
SW_COLUMN(preparing_ns);
SW_COLUMN(iteration_ns);
SW_COLUMN(start_ns);
SW_COLUMN(end_ns);
SW_COLUMN(src_pos);
}  // namespace step

namespace op_stat {
inline constexpr ColumnDecl kColumns[] = {
    required_code("op_type", "operator type"),
    optional_code("core_type", "core"),
    required_i64("count", Unit::count, "executions"),
    required_i64("total_ns", Unit::ns, "sum of durations"),
    optional_i64("min_ns", Unit::ns, "shortest"),
    optional_i64("avg_ns", Unit::ns, "mean"),
    optional_i64("max_ns", Unit::ns, "longest"),
    optional_f64("total_ratio", Unit::ratio, "of all operators' time; the file prints percent"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"op_stat", "", kColumns, "operators summed by type"};
SW_COLUMN(op_type);
SW_COLUMN(core_type);
SW_COLUMN(count);
SW_COLUMN(total_ns);
SW_COLUMN(min_ns);
SW_COLUMN(avg_ns);
SW_COLUMN(max_ns);
SW_COLUMN(total_ratio);
SW_COLUMN(src_pos);
}  // namespace op_stat

namespace op_name_stat {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "operator"),
    optional_code("op_type", "operator type"),
    optional_code("core_type", "core"),
    required_i64("count", Unit::count, "executions"),
    required_i64("total_ns", Unit::ns, "sum of durations"),
    optional_i64("avg_ns", Unit::ns, "mean"),
    optional_i64("block_dim", Unit::count, "cores used"),
    optional_code("input_shapes", "tensors by ';', dimensions by ','"),
    optional_code("input_dtypes", "by ';'"),
    optional_code("input_formats", "by ';'"),
    optional_code("output_shapes", "tensors by ';', dimensions by ','"),
    optional_code("output_dtypes", "by ';'"),
    optional_code("output_formats", "by ';'"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"op_name_stat", "", kColumns, "operators summed by name"};
SW_COLUMN(name);
SW_COLUMN(op_type);
SW_COLUMN(core_type);
SW_COLUMN(count);
SW_COLUMN(total_ns);
SW_COLUMN(avg_ns);
SW_COLUMN(block_dim);
SW_COLUMN(input_shapes);
SW_COLUMN(input_dtypes);
SW_COLUMN(input_formats);
SW_COLUMN(output_shapes);
SW_COLUMN(output_dtypes);
SW_COLUMN(output_formats);
SW_COLUMN(src_pos);
}  // namespace op_name_stat

namespace fusion_op {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "the fused operator"),
    required_code("original_ops", "operators that it was fused from, by ';'"),
    optional_code("model", "model"),
    optional_i64("model_id", Unit::none, "model id"),
    optional_i64("input_bytes", Unit::bytes, "of its inputs"),
    optional_i64("output_bytes", Unit::bytes, "of its outputs"),
    optional_i64("weight_bytes", Unit::bytes, "of its weights"),
    optional_i64("workspace_bytes", Unit::bytes, "while it runs"),
    optional_i64("total_bytes", Unit::bytes, "all of these"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"fusion_op", "", kColumns, "an operator that a compiled graph fused from others"};
SW_COLUMN(name);
SW_COLUMN(original_ops);
SW_COLUMN(model);
SW_COLUMN(model_id);
SW_COLUMN(input_bytes);
SW_COLUMN(output_bytes);
SW_COLUMN(weight_bytes);
SW_COLUMN(workspace_bytes);
SW_COLUMN(total_bytes);
SW_COLUMN(src_pos);
}  // namespace fusion_op

namespace api_stat {
inline constexpr ColumnDecl kColumns[] = {
    required_code("level",
                  "acl, model, node, runtime, hccl, communication; levels wrap each other and are never added"),
    required_code("name", "call"),
    required_i64("total_ns", Unit::ns, "sum of durations"),
    required_i64("count", Unit::count, "calls"),
    optional_i64("avg_ns", Unit::ns, "mean"),
    optional_i64("min_ns", Unit::ns, "shortest"),
    optional_i64("max_ns", Unit::ns, "longest"),
    optional_f64("variance_us2", Unit::none, "population variance, us^2"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"api_stat", "", kColumns, "host calls summed by name"};
SW_COLUMN(level);
SW_COLUMN(name);
SW_COLUMN(total_ns);
SW_COLUMN(count);
SW_COLUMN(avg_ns);
SW_COLUMN(min_ns);
SW_COLUMN(max_ns);
SW_COLUMN(variance_us2);
SW_COLUMN(src_pos);
}  // namespace api_stat

namespace op_detail {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "operator"),
    optional_code("shapes", "input shapes, tensors by ';'"),
    optional_code("stack", "call stack, innermost first"),
    optional_i64("host_self_ns", Unit::ns, "host time without inner calls"),
    optional_i64("host_total_ns", Unit::ns, "host time"),
    optional_i64("device_self_ns", Unit::ns, "device time without inner calls"),
    optional_i64("device_total_ns", Unit::ns, "device time"),
    optional_i64("device_self_aicore_ns", Unit::ns, "on AI cores, without inner calls"),
    optional_i64("device_total_aicore_ns", Unit::ns, "on AI cores"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"op_detail", "", kColumns, "one call of a framework operator, without a time stamp"};
SW_COLUMN(name);
SW_COLUMN(shapes);
SW_COLUMN(stack);
SW_COLUMN(host_self_ns);
SW_COLUMN(host_total_ns);
SW_COLUMN(device_self_ns);
SW_COLUMN(device_total_ns);
SW_COLUMN(device_self_aicore_ns);
SW_COLUMN(device_total_aicore_ns);
SW_COLUMN(src_pos);
}  // namespace op_detail

namespace comm_op {
inline constexpr ColumnDecl kColumns[] = {
    optional_i64("step", Unit::none, "the profiler's own number"),
    required_code("name", "operation"),
    required_code("type", "allReduce, allGather, send..."),
    required_code("kind", "collective, p2p"),
    optional_code("group_id", "communication group's hash"),
    required_i64("start_ns", Unit::ns, "Unix ns; the file is exact to about 0.25 us"),
    required_i64("elapse_ns", Unit::ns, "transit + wait + idle"),
    required_i64("transit_ns", Unit::ns, "moving data"),
    required_i64("wait_ns", Unit::ns, "waiting for other ranks"),
    required_i64("sync_ns", Unit::ns, "part of wait before the first transfer"),
    required_i64("idle_ns", Unit::ns, "neither"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"comm_op", "start_ns", kColumns,
                                  "one communication operation of a step; id = row number"};
SW_COLUMN(step);
SW_COLUMN(name);
SW_COLUMN(type);
SW_COLUMN(kind);
SW_COLUMN(group_id);
SW_COLUMN(start_ns);
SW_COLUMN(elapse_ns);
SW_COLUMN(transit_ns);
SW_COLUMN(wait_ns);
SW_COLUMN(sync_ns);
SW_COLUMN(idle_ns);
SW_COLUMN(src_pos);
}  // namespace comm_op

namespace comm_link {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("comm_op_id", Unit::none, "row in comm_op"),
    required_code("transport", "RDMA, HCCS, PCIE, SDMA, SIO"),
    required_i64("bytes", Unit::bytes, "moved"),
    required_i64("transit_ns", Unit::ns, "time of moving"),
    optional_f64("bandwidth_gb_s", Unit::none, "GB/s, as the file says"),
    optional_f64("large_packet_ratio", Unit::ratio, "share of large packets"),
};
inline constexpr TableDecl kTable{
    "comm_link", "", kColumns,
    "traffic of a communication operation by transport; SDMA repeats HCCS + PCIE + SIO, so transports are never added"};
SW_COLUMN(comm_op_id);
SW_COLUMN(transport);
SW_COLUMN(bytes);
SW_COLUMN(transit_ns);
SW_COLUMN(bandwidth_gb_s);
SW_COLUMN(large_packet_ratio);
}  // namespace comm_link

namespace comm_packet {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("comm_op_id", Unit::none, "row in comm_op"),     required_code("transport", "as in comm_link"),
    required_i64("packet_bytes", Unit::bytes, "size of one"),     required_i64("count", Unit::count, "packets"),
    required_i64("total_ns", Unit::ns, "sum of their durations"),
};
inline constexpr TableDecl kTable{"comm_packet", "", kColumns, "packets of a communication operation by size"};
SW_COLUMN(comm_op_id);
SW_COLUMN(transport);
SW_COLUMN(packet_bytes);
SW_COLUMN(count);
SW_COLUMN(total_ns);
}  // namespace comm_packet

namespace comm_matrix {
inline constexpr ColumnDecl kColumns[] = {
    optional_i64("step", Unit::none, "the profiler's own number"),
    required_code("name", "operation, or its digest: allreduce-top1, allreduce-total..."),
    required_code("kind", "collective, p2p"),
    optional_code("group_id", "communication group's hash"),
    required_i64("src_rank", Unit::none, "sender; in new files numbered within the group"),
    required_i64("dst_rank", Unit::none, "receiver; equal to the sender: a local copy"),
    optional_code("transport", "LOCAL, HCCS, PCIE, RDMA, SDMA, SIO"),
    required_i64("bytes", Unit::bytes, "moved"),
    required_i64("transit_ns", Unit::ns, "time of moving"),
    optional_f64("bandwidth_gb_s", Unit::none, "GB/s, as the file says"),
    optional_code("op_name", "the operation behind a digest; null for totals"),
};
inline constexpr TableDecl kTable{"comm_matrix", "", kColumns,
                                  "traffic between two ranks; totals repeat the others, so rows are never added"};
SW_COLUMN(step);
SW_COLUMN(name);
SW_COLUMN(kind);
SW_COLUMN(group_id);
SW_COLUMN(src_rank);
SW_COLUMN(dst_rank);
SW_COLUMN(transport);
SW_COLUMN(bytes);
SW_COLUMN(transit_ns);
SW_COLUMN(bandwidth_gb_s);
SW_COLUMN(op_name);
}  // namespace comm_matrix

namespace meta {
inline constexpr ColumnDecl kColumns[] = {
    required_code("key", "path of keys by '.', e.g. config.experimental_config._profiler_level"),
    optional_code("value", "as text"),
    required_code("file", "where it stands"),
};
inline constexpr TableDecl kTable{"meta", "", kColumns, "what the profiler said about the run, flattened"};
SW_COLUMN(key);
SW_COLUMN(value);
SW_COLUMN(file);
}  // namespace meta

namespace diagnostic {
inline constexpr ColumnDecl kColumns[] = {
    required_code("code", "stable name, e.g. csv.ragged_record"),
    required_code("severity", "info, warning, data_loss"),
    required_code("text", "a sentence"),
    required_code("file", "relative to the profile"),
    optional_i64("line", Unit::none, "first line, or byte offset"),
    required_i64("count", Unit::count, "how often"),
};
inline constexpr TableDecl kTable{"diagnostic", "", kColumns, "what reading lost, guessed or found odd"};
SW_COLUMN(code);
SW_COLUMN(severity);
SW_COLUMN(text);
SW_COLUMN(file);
SW_COLUMN(line);
SW_COLUMN(count);
}  // namespace diagnostic

// clang-format on

}  // namespace stepwise::table
