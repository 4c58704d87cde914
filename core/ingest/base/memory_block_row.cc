#include "core/ingest/base/memory_block_row.h"

#include "core/ingest/base/memory_rows.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {

void MemoryBlockRow::append_to(store::TableBuilder& rows) const {
  namespace block = table::memory_block;
  rows.append(block::name, name);
  rows.append(block::bytes, bytes);
  rows.append_or_null(block::alloc_ns, alloc_ns);
  rows.append_or_null(block::release_ns, release_ns);
  rows.append_or_null(block::active_release_ns, active_release_ns);
  rows.append_or_null(block::dur_ns, dur_ns);
  rows.append_or_null(block::active_dur_ns, active_dur_ns);
  rows.append_or_null(block::alloc_allocated_bytes, alloc_allocated);
  rows.append_or_null(block::alloc_reserved_bytes, alloc_reserved);
  rows.append_or_null(block::alloc_active_bytes, alloc_active);
  rows.append_or_null(block::release_allocated_bytes, release_allocated);
  rows.append_or_null(block::release_reserved_bytes, release_reserved);
  rows.append_or_null(block::release_active_bytes, release_active);
  rows.append_or_null(block::stream, stream);
  rows.append_or_null(block::device, device ? std::optional(npu_name(*device)) : std::nullopt);
  rows.append(block::src_pos, src_pos);
  rows.end_row();
}

}  // namespace stepwise::ingest
