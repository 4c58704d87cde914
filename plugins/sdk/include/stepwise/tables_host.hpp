// Tables of what ran on the host, from the timeline.
#pragma once

#include "stepwise/table.hpp"

namespace stepwise::table {

// clang-format off: one column a line
namespace host_op {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "as the profiler wrote it"),
    optional_code("category", "as the profiler wrote it"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "duration"),
    required_i64("pid", Unit::none, "process"),
    required_i64("tid", Unit::none, "thread"),
    optional_i64("parent_id", Unit::none, "row of the enclosing slice on the same thread; null: outermost"),
    required_i64("depth", Unit::count, "nesting on the thread, 0 = outermost"),
    optional_i64("step", Unit::none, "the profiler's own step number; null outside steps"),
    optional_i64("link_id", Unit::none, "sequence number; joins forward to backward"),
    optional_code("shapes", "input shapes, tensors by ';'"),
    optional_code("stack", "call stack, innermost first"),
    optional_i64("external_id", Unit::none, "the profiler's own id of the call; joins to graph_node.external_id"),
    required_u8("overflow", Unit::none, "1: reaches beyond a slice that it starts in, so it nests in none of those"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"host_op", "start_ns", kColumns,
                                  "one call of a framework operator or annotated range; id = row number"};
SW_COLUMN(name);
SW_COLUMN(category);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(pid);
SW_COLUMN(tid);
SW_COLUMN(parent_id);
SW_COLUMN(depth);
SW_COLUMN(step);
SW_COLUMN(link_id);
SW_COLUMN(shapes);
SW_COLUMN(stack);
SW_COLUMN(external_id);
SW_COLUMN(overflow);
SW_COLUMN(src_pos);
}  // namespace host_op

namespace runtime_api {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "as the profiler wrote it"),
    optional_code("category", "as the profiler wrote it"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "duration"),
    required_i64("pid", Unit::none, "process"),
    required_i64("tid", Unit::none, "thread"),
    optional_i64("parent_id", Unit::none, "row of the enclosing slice on the same thread; null: outermost"),
    required_i64("depth", Unit::count, "nesting on the thread, 0 = outermost"),
    optional_i64("step", Unit::none, "the profiler's own step number; null outside steps"),
    optional_i64("link_id", Unit::none,
                 "connection_id, joins to device_task; GPUs: correlation, joins to kernel.correlation_id"),
    optional_code("shapes", "input shapes, tensors by ';'"),
    optional_code("stack", "call stack, innermost first"),
    optional_i64("external_id", Unit::none, "the profiler's own id of the call; joins to graph_node.external_id"),
    required_u8("overflow", Unit::none, "1: reaches beyond a slice that it starts in, so it nests in none of those"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{
    "runtime_api", "start_ns", kColumns,
    "one call of the driver stack (acl, model, node, runtime, communication); id = row number"};
SW_COLUMN(name);
SW_COLUMN(category);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(pid);
SW_COLUMN(tid);
SW_COLUMN(parent_id);
SW_COLUMN(depth);
SW_COLUMN(step);
SW_COLUMN(link_id);
SW_COLUMN(shapes);
SW_COLUMN(stack);
SW_COLUMN(external_id);
SW_COLUMN(overflow);
SW_COLUMN(src_pos);
}  // namespace runtime_api

namespace python_call {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "as the profiler wrote it"),
    optional_code("category", "as the profiler wrote it"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "duration"),
    required_i64("pid", Unit::none, "process"),
    required_i64("tid", Unit::none, "thread"),
    optional_i64("parent_id", Unit::none, "row of the enclosing slice on the same thread; null: outermost"),
    required_i64("depth", Unit::count, "nesting on the thread, 0 = outermost"),
    optional_i64("step", Unit::none, "the profiler's own step number; null outside steps"),
    optional_i64("link_id", Unit::none, "the profiler's Python id"),
    optional_code("shapes", "input shapes, tensors by ';'"),
    optional_code("stack", "call stack, innermost first"),
    optional_i64("external_id", Unit::none, "the profiler's own id of the call; joins to graph_node.external_id"),
    required_u8("overflow", Unit::none, "1: reaches beyond a slice that it starts in, so it nests in none of those"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"python_call", "start_ns", kColumns, "one Python function; id = row number"};
SW_COLUMN(name);
SW_COLUMN(category);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(pid);
SW_COLUMN(tid);
SW_COLUMN(parent_id);
SW_COLUMN(depth);
SW_COLUMN(step);
SW_COLUMN(link_id);
SW_COLUMN(shapes);
SW_COLUMN(stack);
SW_COLUMN(external_id);
SW_COLUMN(overflow);
SW_COLUMN(src_pos);
}  // namespace python_call

namespace python_link {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("host_op_id", Unit::none, "row in host_op"),
    required_i64("python_call_id", Unit::none, "row in python_call: the innermost function running when it began"),
};
inline constexpr TableDecl kTable{"python_link", "", kColumns,
                                  "which Python function called a framework operator; in host_op order, operators "
                                  "outside every function left out"};
SW_COLUMN(host_op_id);
SW_COLUMN(python_call_id);
}  // namespace python_link

namespace queue {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "operator"),
    required_code("kind", "enqueue, dequeue"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "duration"),
    required_i64("pid", Unit::none, "process"),
    required_i64("tid", Unit::none, "thread"),
    optional_i64("link_id", Unit::none, "correlation_id; joins enqueue to dequeue"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"queue", "start_ns", kColumns, "one entry or exit of the framework's task queue"};
SW_COLUMN(name);
SW_COLUMN(kind);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(pid);
SW_COLUMN(tid);
SW_COLUMN(link_id);
SW_COLUMN(src_pos);
}  // namespace queue

namespace flow {
inline constexpr ColumnDecl kColumns[] = {
    required_code("kind", "async_npu, async_task_queue, HostToDevice, fwdbwd, ac2g, async (2021)"),
    required_code("src_table", "table of the start"),
    required_i64("src_id", Unit::none, "row in it"),
    required_code("dst_table", "table of the end"),
    required_i64("dst_id", Unit::none, "row in it"),
};
inline constexpr TableDecl kTable{"flow", "", kColumns, "an arrow of the timeline whose two ends were found"};
SW_COLUMN(kind);
SW_COLUMN(src_table);
SW_COLUMN(src_id);
SW_COLUMN(dst_table);
SW_COLUMN(dst_id);
}  // namespace flow

namespace step_range {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("step", Unit::none, "N"),
    required_i64("start_ns", Unit::ns, "start, Unix ns"),
    required_i64("dur_ns", Unit::ns, "duration"),
    required_i64("pid", Unit::none, "process"),
    required_i64("tid", Unit::none, "thread"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"step_range", "start_ns", kColumns, "ProfilerStep#N as the host saw it"};
SW_COLUMN(step);
SW_COLUMN(start_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(pid);
SW_COLUMN(tid);
SW_COLUMN(src_pos);
}  // namespace step_range

namespace track {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("pid", Unit::none, "process"),
    optional_i64("tid", Unit::none, "thread; null: the process itself"),
    optional_code("process_name", "e.g. Ascend Hardware"),
    optional_code("thread_name", "e.g. Stream 2"),
    optional_code("labels", "CPU, NPU, GPU 0"),
    required_i64("events", Unit::count, "slices and samples on it"),
};
inline constexpr TableDecl kTable{"track", "", kColumns, "a process or thread of the timeline"};
SW_COLUMN(pid);
SW_COLUMN(tid);
SW_COLUMN(process_name);
SW_COLUMN(thread_name);
SW_COLUMN(labels);
SW_COLUMN(events);
}  // namespace track

// clang-format on

}  // namespace stepwise::table
