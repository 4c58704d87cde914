#include "clients/example/truth_stragglers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/decimal.h"

namespace stepwise::example {
namespace {

/// Sums over all steps.
struct Sums {
  int64_t computing_ns = 0, not_overlapped_ns = 0, free_ns = 0;
};

Sums sums_of(const Tally& tally) {
  Sums out;
  for (const StepFigures& step : tally.overlap.steps()) {
    out.computing_ns += step.computing_ns;
    out.not_overlapped_ns += step.not_overlapped_ns;
    out.free_ns += step.free_ns;
  }
  return out;
}

/// Ranks that have the same to do: those of one pipeline stage.
int stage_of(const Facts& facts, size_t rank) {
  if (facts.kind != ExampleKind::llm_train) return 0;
  return static_cast<int>(rank) / facts.llm.tensor % facts.llm.pipeline;
}

/// What a rank's is more than the mean of the others'.
double more_than_others(int64_t own, int64_t sum, size_t ranks) {
  return static_cast<double>(own) - static_cast<double>(sum - own) / static_cast<double>(ranks - 1);
}

/// Of each rank: how much later than the others it came to a collective, at worst in each step; the sum over steps.
std::vector<double> later_arrivals_ns(const std::vector<Tally>& tallies) {
  struct Arrivals {
    int step = 0;
    std::map<size_t, int64_t> start_ns;  // by rank
  };
  std::map<std::pair<int, int>, Arrivals> collectives;  // communicator, place
  for (size_t rank = 0; rank < tallies.size(); ++rank) {
    for (const CollectiveRun& run : tallies[rank].collectives) {
      if (run.spec->point_to_point) continue;
      Arrivals& one = collectives[{run.communicator->id, run.index}];
      one.step = run.step;
      one.start_ns[rank] = run.start_ns;
    }
  }
  std::map<std::pair<size_t, int>, double> latest;  // rank, step
  for (const auto& [key, one] : collectives) {
    if (one.start_ns.size() < 2) continue;
    const int64_t zero_ns = one.start_ns.begin()->second;
    int64_t sum_ns = 0;
    for (const auto& [rank, start_ns] : one.start_ns) sum_ns += start_ns - zero_ns;
    for (const auto& [rank, start_ns] : one.start_ns) {
      const double later_ns = more_than_others(start_ns - zero_ns, sum_ns, one.start_ns.size());
      const auto [it, first] = latest.emplace(std::pair(rank, one.step), later_ns);
      if (!first) it->second = std::max(it->second, later_ns);
    }
  }
  std::vector<double> out(tallies.size());
  for (const auto& [key, later_ns] : latest) out[key.first] += later_ns;
  return out;
}

}  // namespace

Json true_stragglers(const Facts& facts, const std::vector<Tally>& tallies) {
  std::map<int, std::pair<Sums, size_t>> stages;  // sums over a stage's ranks, and how many these are
  std::vector<Sums> own;
  for (size_t rank = 0; rank < tallies.size(); ++rank) {
    own.push_back(sums_of(tallies[rank]));
    auto& [sums, ranks] = stages[stage_of(facts, rank)];
    sums.computing_ns += own[rank].computing_ns;
    sums.not_overlapped_ns += own[rank].not_overlapped_ns;
    sums.free_ns += own[rank].free_ns;
    ++ranks;
  }
  const std::vector<double> later_ns = later_arrivals_ns(tallies);
  const double to_us = 1.0 / (1'000.0 * facts.steps);
  Json rows = Json::array(), waits = Json::array();
  for (size_t rank = 0; rank < tallies.size(); ++rank) {
    int64_t wait_ns = 0;
    for (const CollectiveRun& run : tallies[rank].collectives) wait_ns += run.wait_ns;
    waits.push_back({{"rank", rank}, {"wait_us", ns_to_us(wait_ns)}});
    const auto& [sums, ranks] = stages.at(stage_of(facts, rank));
    if (ranks < 2) continue;
    const double late_ns = -more_than_others(own[rank].not_overlapped_ns, sums.not_overlapped_ns, ranks);
    rows.push_back({{"rank", rank},
                    {"late_us", late_ns * to_us},
                    {"arrived_later_us", later_ns[rank] * to_us},
                    {"computing_us", more_than_others(own[rank].computing_ns, sums.computing_ns, ranks) * to_us},
                    {"idle_us", more_than_others(own[rank].free_ns, sums.free_ns, ranks) * to_us}});
  }
  return {{"late_rank", facts.late_rank < 0 ? Json(nullptr) : Json(facts.late_rank)},
          {"planted_us", ns_to_us(facts.late_rank < 0 ? 0 : facts.late_ns)},
          {"rows", std::move(rows)},
          {"communication_wait", std::move(waits)}};
}

}  // namespace stepwise::example
