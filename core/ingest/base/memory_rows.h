// What the text files and the databases of a run share when they tell of memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/store/segment.h"

namespace stepwise::ingest {

/// "NPU:0", as the text files call it.
std::string npu_name(int64_t device);

/// How much the process (event "app"), or all processes of the device (event "device"), had taken from the device.
struct DeviceSample {
  std::string_view event, device;
  int64_t ts_ns = 0, reserved_bytes = 0, src_pos = 0;
};
/// Appends it to the table memory, as component APP or DEVICE. The caller sorts the table.
void append_sample(const DeviceSample& sample, store::TableBuilder& memory);

}  // namespace stepwise::ingest
