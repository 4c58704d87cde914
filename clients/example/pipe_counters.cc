#include "clients/example/pipe_counters.h"

#include <algorithm>
#include <initializer_list>

#include "clients/example/random.h"

namespace stepwise::example {
namespace {

HalfCounters busy(int64_t time_ns, int64_t cycles, Random& random, std::initializer_list<int> typical_permille) {
  HalfCounters half{time_ns, cycles, {}, 0};
  for (int typical : typical_permille) {
    const int64_t permille = std::min<int64_t>(typical * 3 / 4 + random.below(typical / 2 + 1), 990);
    half.pipes.push_back({time_ns * permille / 1'000, permille});
  }
  half.miss_permille = random.below(40);
  return half;
}

HalfCounters idle(size_t pipes) { return {0, 0, std::vector<PipeUse>(pipes), 0}; }

}  // namespace

std::optional<PipeCounters> pipe_counters(const KernelSpec& spec, int64_t start_ns, int64_t dur_ns) {
  if (spec.core == Core::ai_cpu) return std::nullopt;
  Random random(static_cast<uint64_t>(start_ns));
  const int64_t core_ns = dur_ns - std::min<int64_t>(dur_ns / 4, 1'700);
  const int64_t cycles = core_ns * spec.block_dim * 18 / 10;  // at 1.8 GHz on each core
  PipeCounters counters;
  if (spec.core == Core::ai_core || spec.core == Core::mix_aic) {
    counters.cube = busy(core_ns, cycles, random, {520, 240, 610, 700, 90});
    counters.vector = spec.core == Core::ai_core ? idle(kVectorPipes.size())
                                                 : busy(core_ns, cycles * 2, random, {340, 160, 300, 280});
    counters.cube_utilization_e1 = core_ns * 1'000 / dur_ns * 86 / 100 * spec.block_dim / 24;
  } else {
    // Sorting and index arithmetic run on the scalar unit.
    const bool scalar_bound = spec.type == "Sort" || spec.type == "EmbeddingDenseGrad";
    counters.cube = idle(kCubePipes.size());
    counters.vector = busy(core_ns, cycles, random, {scalar_bound ? 150 : 260, scalar_bound ? 480 : 120, 430, 380});
  }
  return counters;
}

}  // namespace stepwise::example
