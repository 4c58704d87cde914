#include "core/ingest/base/memory_rows.h"

#include <algorithm>

#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {

namespace memory = table::memory;

std::string npu_name(int64_t device) { return "NPU:" + std::to_string(device); }

void append_sample(const DeviceSample& sample, store::TableBuilder& rows) {
  std::string component(sample.event);  // exporters differ in its letters
  std::transform(component.begin(), component.end(), component.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  rows.append(memory::component, component);
  rows.append(memory::ts_ns, sample.ts_ns);
  rows.null(memory::allocated_bytes);
  rows.append(memory::reserved_bytes, sample.reserved_bytes);
  rows.null(memory::active_bytes);
  rows.null(memory::stream);
  rows.append_or_null(memory::device, sample.device.empty() ? std::nullopt : std::optional(sample.device));
  rows.append(memory::src_pos, sample.src_pos);
  rows.end_row();
}

}  // namespace stepwise::ingest
