#include "clients/example/run.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "clients/example/simulator.h"
#include "clients/example/step_program.h"

namespace stepwise::example {

CollectiveSchedule solve_schedule(const Facts& facts, const Catalog& catalog) {
  TimelineSink nobody;
  std::vector<std::unique_ptr<RankSimulator>> ranks;
  for (int rank = 0; rank < facts.world_size; ++rank) {
    ranks.push_back(std::make_unique<RankSimulator>(facts, catalog, rank, nobody));
  }
  CollectiveSchedule schedule;
  std::vector<Instruction> program;
  for (int step = 0; step < facts.steps; ++step) {
    build_step(facts, catalog, step, program);
    for (auto& rank : ranks) rank->start_step(step, program);
    for (;;) {
      // One program for all: either every rank stands at the same collective or every rank is through.
      int64_t latest = 0;
      bool through = false;
      for (auto& rank : ranks) {
        const std::optional<int64_t> arrival = rank->advance();
        through = !arrival;
        latest = std::max(latest, arrival.value_or(0));
      }
      if (through) break;
      schedule.push_back(latest);
      for (auto& rank : ranks) rank->release(latest);
    }
  }
  return schedule;
}

void run_rank(const Facts& facts, const Catalog& catalog, const CollectiveSchedule& schedule, int rank,
              TimelineSink& sink) {
  RankSimulator simulator(facts, catalog, rank, sink);
  std::vector<Instruction> program;
  size_t next = 0;
  for (int step = 0; step < facts.steps; ++step) {
    build_step(facts, catalog, step, program);
    simulator.start_step(step, program);
    while (simulator.advance()) simulator.release(schedule[next++]);
  }
  simulator.finish();
}

}  // namespace stepwise::example
