// Writes a timeline in torch_npu's form, of about a given size, for benchmarks: the same kinds of events, keys, key
// order, lengths and proportions as a real eager training profile with stacks and counters has. Same arguments, same
// bytes.
#pragma once

#include <cstdint>
#include <filesystem>

namespace stepwise::bench {

struct GeneratedTrace {
  uint64_t bytes = 0;
  uint64_t events = 0;
};

/// Aborts with a message when the file cannot be written (a benchmark has nothing better to do).
GeneratedTrace generate_trace(const std::filesystem::path& path, uint64_t bytes);

}  // namespace stepwise::bench
