// Tables of what ran on the device.
#pragma once

#include "stepwise/table.hpp"

namespace stepwise::table {

// clang-format off: one column a line
namespace kernel {
inline constexpr ColumnDecl kColumns[] = {
    optional_i64("step", Unit::none, "the profiler's own step number; null outside steps"),
    required_code("name", "as the profiler wrote it"),
    optional_code("op_type", "operator type"),
    optional_code("core_type", "AI_CORE, AI_VECTOR_CORE, MIX_AIC, MIX_AIV, AI_CPU, HCCL, COMMUNICATION..."),
    required_code("class", "compute, communication, copy or memset"),
    optional_i64("stream", Unit::none, "stream id"),
    optional_i64("device", Unit::none, "device id"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "device time"),
    optional_i64("wait_ns", Unit::ns, "start minus the end of the row before, as the file says"),
    optional_i64("block_dim", Unit::count, "cores used"),
    optional_code("op_state", "dynamic, static"),
    optional_code("hf32", "YES, NO: could run in HF32"),
    optional_i64("model_id", Unit::none, "4294967295: a single operator, no graph"),
    optional_i64("task_id", Unit::none, "task id"),
    optional_i64("correlation_id", Unit::none, "joins to the launching call: runtime_api.link_id (GPU traces)"),
    optional_i64("bytes", Unit::bytes, "moved by a copy or set by a memset"),
    optional_code("input_shapes", "tensors by ';', dimensions by ','"),
    optional_code("input_dtypes", "by ';'"),
    optional_code("input_formats", "by ';'"),
    optional_code("output_shapes", "tensors by ';', dimensions by ','"),
    optional_code("output_dtypes", "by ';'"),
    optional_code("output_formats", "by ';'"),
    optional_i64("aic_time_ns", Unit::ns, "time on the cube cores"),
    optional_i64("aiv_time_ns", Unit::ns, "time on the vector cores"),
    optional_f64("aic_mac_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aic_scalar_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aic_mte1_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aic_mte2_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aic_fixpipe_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aiv_vec_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aiv_scalar_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aiv_mte2_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("aiv_mte3_ratio", Unit::ratio, "share of the core's time"),
    optional_f64("cube_utilization_ratio", Unit::ratio, "0 to 1; the file prints percent"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
    optional_code("group_id", "process group of a communication kernel, by its name (GPU traces)"),
};
inline constexpr TableDecl kTable{"kernel", "start_ns", kColumns,
                                  "one execution on the device, from the summary file or, on GPUs, the timeline"};
SW_COLUMN(step);
SW_COLUMN(name);
SW_COLUMN(op_type);
SW_COLUMN(core_type);
inline constexpr Col<kColumns[find_column(kColumns, "class")].type, find_column(kColumns, "class")> class_{};
SW_COLUMN(stream);
SW_COLUMN(device);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(wait_ns);
SW_COLUMN(block_dim);
SW_COLUMN(op_state);
SW_COLUMN(hf32);
SW_COLUMN(model_id);
SW_COLUMN(task_id);
SW_COLUMN(correlation_id);
SW_COLUMN(bytes);
SW_COLUMN(input_shapes);
SW_COLUMN(input_dtypes);
SW_COLUMN(input_formats);
SW_COLUMN(output_shapes);
SW_COLUMN(output_dtypes);
SW_COLUMN(output_formats);
SW_COLUMN(aic_time_ns);
SW_COLUMN(aiv_time_ns);
SW_COLUMN(aic_mac_ratio);
SW_COLUMN(aic_scalar_ratio);
SW_COLUMN(aic_mte1_ratio);
SW_COLUMN(aic_mte2_ratio);
SW_COLUMN(aic_fixpipe_ratio);
SW_COLUMN(aiv_vec_ratio);
SW_COLUMN(aiv_scalar_ratio);
SW_COLUMN(aiv_mte2_ratio);
SW_COLUMN(aiv_mte3_ratio);
SW_COLUMN(cube_utilization_ratio);
SW_COLUMN(src_pos);
SW_COLUMN(group_id);
}  // namespace kernel

namespace kernel_link {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("kernel_id", Unit::none, "row in kernel"),
    optional_i64("host_op_id", Unit::none, "row in host_op: the innermost operator or range that launched it"),
    optional_i64("runtime_api_id", Unit::none, "row in runtime_api: the launching call"),
    optional_i64("python_call_id", Unit::none, "row in python_call: the innermost function that launched it"),
    optional_i64("device_task_id", Unit::none, "row in device_task: the kernel's own slice of the timeline"),
    optional_i64("step", Unit::none, "the step whose host range holds the launch; null: none does"),
    required_code("how", "correlation, external_id, flow, connection, time"),
};
inline constexpr TableDecl kTable{"kernel_link", "", kColumns,
                                  "what launched a kernel; at most one row for each kernel, in kernel order"};
SW_COLUMN(kernel_id);
SW_COLUMN(host_op_id);
SW_COLUMN(runtime_api_id);
SW_COLUMN(python_call_id);
SW_COLUMN(device_task_id);
SW_COLUMN(step);
SW_COLUMN(how);
}  // namespace kernel_link

namespace device_task {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "as the profiler wrote it"),
    required_code(
        "lane",
        "hardware, or communication (operation or plane); GPUs: cuda_sync, gpu_user_annotation, overhead, span"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "duration"),
    required_i64("pid", Unit::none, "track's process"),
    required_i64("tid", Unit::none, "track's thread"),
    optional_code("task_type", "as the profiler wrote it"),
    optional_i64("stream", Unit::none, "stream id"),
    optional_i64("task_id", Unit::none, "task id"),
    optional_i64("model_id", Unit::none, "4294967295: a single operator, no graph"),
    optional_i64("connection_id", Unit::none, "joins to the launching call"),
    required_i64("depth", Unit::count, "nesting on the track, 0 = outermost"),
    required_u8("overflow", Unit::none, "1: reaches beyond a slice that it starts in, so it nests in none of those"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"device_task", "start_ns", kColumns, "one slice of a device track in the timeline"};
SW_COLUMN(name);
SW_COLUMN(lane);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(pid);
SW_COLUMN(tid);
SW_COLUMN(task_type);
SW_COLUMN(stream);
SW_COLUMN(task_id);
SW_COLUMN(model_id);
SW_COLUMN(connection_id);
SW_COLUMN(depth);
SW_COLUMN(overflow);
SW_COLUMN(src_pos);
}  // namespace device_task

namespace aicpu_task {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("start_ns", Unit::ns, "Unix ns"),
    required_code("name", "node"),
    optional_i64("compute_ns", Unit::ns, "computing"),
    optional_i64("memcpy_ns", Unit::ns, "copying"),
    optional_i64("task_ns", Unit::ns, "the task, between receiving and finishing it"),
    optional_i64("dispatch_ns", Unit::ns, "until it was handed over"),
    optional_i64("total_ns", Unit::ns, "all of it"),
    optional_i64("stream", Unit::none, "stream id"),
    optional_i64("task_id", Unit::none, "task id"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"aicpu_task", "start_ns", kColumns, "one task of the AI CPU (data_preprocess)"};
SW_COLUMN(start_ns);
SW_COLUMN(name);
SW_COLUMN(compute_ns);
SW_COLUMN(memcpy_ns);
SW_COLUMN(task_ns);
SW_COLUMN(dispatch_ns);
SW_COLUMN(total_ns);
SW_COLUMN(stream);
SW_COLUMN(task_id);
SW_COLUMN(src_pos);
}  // namespace aicpu_task

namespace overlap_span {
inline constexpr ColumnDecl kColumns[] = {
    required_code("kind", "Computing, Communication, Communication(Not Overlapped), Free"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "duration"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"overlap_span", "start_ns", kColumns, "the profiler's own overlap analysis"};
SW_COLUMN(kind);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(src_pos);
}  // namespace overlap_span

namespace counter {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "counter"),
    required_code("series", "series in it"),
    required_i64("pid", Unit::none, "track's process"),
    required_i64("ts_ns", Unit::ns, "Unix ns"),
    {"value", Type::f64, Unit::none, false, "sample, in the unit that the series names"},
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"counter", "ts_ns", kColumns, "one sample of a counter track"};
SW_COLUMN(name);
SW_COLUMN(series);
SW_COLUMN(pid);
SW_COLUMN(ts_ns);
SW_COLUMN(value);
SW_COLUMN(src_pos);
}  // namespace counter

// clang-format on

}  // namespace stepwise::table
