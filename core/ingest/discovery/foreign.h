// Recordings that Stepwise cannot open as they are, and what their owner can do about it.
#pragma once

#include <cstdint>

namespace stepwise::ingest {

/// What other profilers and exporters leave, and Stepwise cannot open yet.
enum class Foreign : uint8_t { none, msprof_raw, mindspore_raw, torch_npu_raw, unknown_export, count_ };
struct ForeignInfo {
  const char* what;    // "msprof database"
  const char* remedy;  // "" or what the user can do about it today
};
const ForeignInfo& info(Foreign foreign);

}  // namespace stepwise::ingest
