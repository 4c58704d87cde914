// The slices of a rank's timeline in a window, by track. [any thread]
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/provider.h"

namespace stepwise::engine {

struct Window {
  int64_t start_ns = 0, end_ns = 0;  // [start, end)
};

struct Slice {
  int64_t start_ns = 0, dur_ns = 0;
  const char* table = "";
  uint64_t row = 0;
  std::string_view name{};  // lives as long as the call
  uint32_t depth = 0;       // within the slices of the track that touch the window, 0 = outermost
};

/// A thread of the host, a stream or a communication group of the device.
struct Track {
  std::string name;
  std::vector<Slice> slices;  // by start, outer ones first
  int64_t busy_ns = 0;        // union of the slices within the window
};

struct Timeline {
  std::vector<Track> tracks;         // those with a slice in the window, busiest first
  Window all{INT64_MAX, INT64_MIN};  // from the first start to the last end; empty: no slice at all
};

/// Reads on demand. Errors: `call.again`, call.cancelled.
Result<Timeline> read_timeline(CallHost& host, uint32_t rank, const Window& window);

}  // namespace stepwise::engine
