// What reading a timeline costs at least: a simdjson On-Demand pass over the whole file that reads six fields.
#pragma once

#include <cstdint>
#include <filesystem>

namespace stepwise::bench {

/// A number that depends on every field read, so that nothing can be optimized away. Aborts with a message on bad
/// input.
uint64_t read_six_fields(const std::filesystem::path& path);

}  // namespace stepwise::bench
