// The work of the timeline benchmarks.
#pragma once

#include <filesystem>

#include "tests/bench/bench.h"

namespace stepwise::bench {

/// Reads a timeline in torch_npu's form and writes its segment; stops the program when that fails.
void ingest_trace(const std::filesystem::path& trace, const std::filesystem::path& segment, unsigned threads);

/// The settings' trace, or a generated one, made once in a process.
const std::filesystem::path& trace_of(const Settings& settings);

/// Memory besides the segment's own size that reading a timeline may take, whatever the file's size.
inline constexpr double kMemoryBudgetMib = 128;
double mib(uint64_t bytes);

}  // namespace stepwise::bench
