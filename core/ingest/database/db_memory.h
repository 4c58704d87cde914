// What a profiler's database says of device memory. torch_npu's tables (MEMORY_RECORD, OP_MEMORY) hold the framework's
// allocator and the graph engine's; msprof alone has the graph engine's single allocations (NPU_OP_MEM).
#pragma once

#include <string>

#include "core/ingest/database/db_strings.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// memory: MEMORY_RECORD, or the sums in NPU_OP_MEM; and the process's and the device's samples in NPU_MEM.
void fill_memory(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                 store::SegmentBuilder& out);
/// memory_block: OP_MEMORY, or NPU_OP_MEM with allocations and releases joined by operator, address and device.
void fill_memory_blocks(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                        store::SegmentBuilder& out);
/// module_memory: NPU_MODULE_MEM.
void fill_module_memory(Database& database, const std::string& file, IngestContext& context,
                        store::SegmentBuilder& out);

}  // namespace stepwise::ingest
