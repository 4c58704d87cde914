// A row of memory_block, as databases give it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/store/table_builder.h"

namespace stepwise::ingest {

struct MemoryBlockRow {
  std::string name;
  int64_t bytes = 0, src_pos = 0;
  std::optional<int64_t> alloc_ns, release_ns, active_release_ns, dur_ns, active_dur_ns;
  std::optional<int64_t> alloc_allocated, alloc_reserved, alloc_active;
  std::optional<int64_t> release_allocated, release_reserved, release_active;
  std::optional<int64_t> stream, device;

  void append_to(store::TableBuilder& blocks) const;
};

}  // namespace stepwise::ingest
