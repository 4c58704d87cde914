// Tables of device memory.
#pragma once

#include "stepwise/table.hpp"

namespace stepwise::table {

// clang-format off: one column a line
namespace memory {
inline constexpr ColumnDecl kColumns[] = {
    required_code("component", "APP, GE, PTA, PTA+GE, WORKSPACE; GPUs: the device"),
    required_i64("ts_ns", Unit::ns, "Unix ns"),
    optional_i64("allocated_bytes", Unit::bytes, "given to tensors"),
    optional_i64("reserved_bytes", Unit::bytes, "taken from the device"),
    optional_i64("active_bytes", Unit::bytes, "allocated, and what streams still use"),
    optional_i64("stream", Unit::none, "stream pointer"),
    optional_code("device", "e.g. NPU:0"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"memory", "ts_ns", kColumns,
                                  "how much memory a component of the software held, sampled at each change"};
SW_COLUMN(component);
SW_COLUMN(ts_ns);
SW_COLUMN(allocated_bytes);
SW_COLUMN(reserved_bytes);
SW_COLUMN(active_bytes);
SW_COLUMN(stream);
SW_COLUMN(device);
SW_COLUMN(src_pos);
}  // namespace memory

namespace memory_block {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "operator"),
    required_i64("bytes", Unit::bytes, "size"),
    optional_i64("alloc_ns", Unit::ns, "allocation, Unix ns; null: before collecting began"),
    optional_i64("release_ns", Unit::ns, "release, Unix ns; null: not released while collecting"),
    optional_i64("active_release_ns", Unit::ns, "when no stream used it any more, Unix ns"),
    optional_i64("dur_ns", Unit::ns, "release minus allocation"),
    optional_i64("active_dur_ns", Unit::ns, "active release minus allocation"),
    optional_i64("alloc_allocated_bytes", Unit::bytes, "allocated in all, just after the allocation"),
    optional_i64("alloc_reserved_bytes", Unit::bytes, "reserved in all, just after the allocation"),
    optional_i64("alloc_active_bytes", Unit::bytes, "active in all, just after the allocation"),
    optional_i64("release_allocated_bytes", Unit::bytes, "allocated in all, just after the release"),
    optional_i64("release_reserved_bytes", Unit::bytes, "reserved in all, just after the release"),
    optional_i64("release_active_bytes", Unit::bytes, "active in all, just after the release"),
    optional_i64("stream", Unit::none, "stream pointer"),
    optional_code("device", "e.g. NPU:0"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"memory_block", "", kColumns, "one block that an operator allocated"};
SW_COLUMN(name);
SW_COLUMN(bytes);
SW_COLUMN(alloc_ns);
SW_COLUMN(release_ns);
SW_COLUMN(active_release_ns);
SW_COLUMN(dur_ns);
SW_COLUMN(active_dur_ns);
SW_COLUMN(alloc_allocated_bytes);
SW_COLUMN(alloc_reserved_bytes);
SW_COLUMN(alloc_active_bytes);
SW_COLUMN(release_allocated_bytes);
SW_COLUMN(release_reserved_bytes);
SW_COLUMN(release_active_bytes);
SW_COLUMN(stream);
SW_COLUMN(device);
SW_COLUMN(src_pos);
}  // namespace memory_block

namespace module_memory {
inline constexpr ColumnDecl kColumns[] = {
    required_code("component", "e.g. HCCL, RUNTIME, SLOG"),
    required_i64("ts_ns", Unit::ns, "Unix ns"),
    optional_i64("reserved_bytes", Unit::bytes, "taken from the device; null: only a release was seen"),
    optional_code("device", "e.g. NPU:0"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"module_memory", "ts_ns", kColumns,
                                  "how much device memory a driver component reserved, sampled"};
SW_COLUMN(component);
SW_COLUMN(ts_ns);
SW_COLUMN(reserved_bytes);
SW_COLUMN(device);
SW_COLUMN(src_pos);
}  // namespace module_memory

namespace static_memory {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "operator"),
    optional_code("model", "model"),
    optional_i64("graph_id", Unit::none, "graph"),
    optional_i64("node_start", Unit::none, "index of the first node that needs it"),
    optional_i64("node_end", Unit::none, "index of the last; null: it is needed until the graph ends"),
    required_i64("bytes", Unit::bytes, "size"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{
    "static_memory", "", kColumns,
    "memory that a compiled graph plans for an operator before it runs; a row TOTAL repeats the "
    "others"};
SW_COLUMN(name);
SW_COLUMN(model);
SW_COLUMN(graph_id);
SW_COLUMN(node_start);
SW_COLUMN(node_end);
SW_COLUMN(bytes);
SW_COLUMN(src_pos);
}  // namespace static_memory

namespace l2_cache {
inline constexpr ColumnDecl kColumns[] = {
    required_code("name", "operator"),
    optional_i64("stream", Unit::none, "stream id"),
    optional_i64("task_id", Unit::none, "task id"),
    optional_f64("hit_ratio", Unit::ratio, "of all accesses"),
    optional_f64("victim_ratio", Unit::ratio, "lines thrown out, of all accesses"),
    required_i64("src_pos", Unit::none, "row of the source file (1 = first after the header), or byte offset in it"),
};
inline constexpr TableDecl kTable{"l2_cache", "", kColumns, "hits in the L2 cache by task"};
SW_COLUMN(name);
SW_COLUMN(stream);
SW_COLUMN(task_id);
SW_COLUMN(hit_ratio);
SW_COLUMN(victim_ratio);
SW_COLUMN(src_pos);
}  // namespace l2_cache

// clang-format on

}  // namespace stepwise::table
