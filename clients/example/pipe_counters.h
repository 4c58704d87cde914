// What the hardware counted of a kernel, by the pipes of its core (ACL_AICORE_PIPE_UTILIZATION).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "clients/example/operators.h"

namespace stepwise::example {

inline constexpr std::array<std::string_view, 5> kCubePipes{"mac", "scalar", "mte1", "mte2", "fixpipe"};
inline constexpr std::array<std::string_view, 4> kVectorPipes{"vec", "scalar", "mte2", "mte3"};

struct PipeUse {
  int64_t time_ns = 0, permille = 0;
};

/// One half of a core; all 0: it did nothing.
struct HalfCounters {
  int64_t time_ns = 0, cycles = 0;
  std::vector<PipeUse> pipes;  // in the order of the names
  int64_t miss_permille = 0;   // of the cache of instructions
};

struct PipeCounters {
  HalfCounters cube, vector;
  std::optional<int64_t> cube_utilization_e1;  // percent in 1/10; nullopt: no matrices
};

/// The same for the same kernel and start. Nothing: it ran elsewhere than on a core.
std::optional<PipeCounters> pipe_counters(const KernelSpec& spec, int64_t start_ns, int64_t dur_ns);

}  // namespace stepwise::example
