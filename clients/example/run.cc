#include "clients/example/run.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>

#include "clients/example/simulator.h"

namespace stepwise::example {
namespace {

/// The ranks that stand at a communicator's next collective.
struct Gathering {
  int count = 0;
  int64_t latest_ns = 0;
};

class World {
 public:
  World(const Facts& facts, const Model& model)
      : model_(model),
        programs_(static_cast<size_t>(facts.world_size)),
        gatherings_(model.topology().all().size()),
        schedule_(model.topology().all().size()) {
    for (int rank = 0; rank < facts.world_size; ++rank) {
      ranks_.push_back(std::make_unique<RankSimulator>(facts, model, rank, nobody_));
    }
  }

  void run_step(int step) {
    std::vector<int> ready;
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
      const auto slot = static_cast<size_t>(rank);
      model_.build_step(rank, step, programs_[slot]);
      ranks_[slot]->start_step(step, programs_[slot]);
      ready.push_back(rank);
    }
    while (!ready.empty()) {
      const int rank = ready.back();
      ready.pop_back();
      if (const std::optional<Meeting> meeting = ranks_[static_cast<size_t>(rank)]->advance()) arrive(*meeting, ready);
    }
    // A model whose ranks call a group's collectives in different orders would leave some standing.
    assert(std::all_of(gatherings_.begin(), gatherings_.end(), [](const Gathering& g) { return g.count == 0; }));
  }

  CollectiveSchedule take_schedule() { return std::move(schedule_); }

 private:
  void arrive(const Meeting& meeting, std::vector<int>& ready) {
    const auto id = static_cast<size_t>(meeting.communicator);
    const Communicator& communicator = model_.topology().all()[id];
    Gathering& here = gatherings_[id];
    here.latest_ns = std::max(here.latest_ns, meeting.arrival_ns);
    if (++here.count < communicator.size()) return;
    schedule_[id].push_back(here.latest_ns);
    for (int rank : communicator.ranks) {
      ranks_[static_cast<size_t>(rank)]->release(here.latest_ns);
      ready.push_back(rank);
    }
    here = {};
  }

  const Model& model_;
  TimelineSink nobody_;
  std::vector<std::unique_ptr<RankSimulator>> ranks_;
  std::vector<std::vector<Instruction>> programs_;
  std::vector<Gathering> gatherings_;
  CollectiveSchedule schedule_;
};

}  // namespace

CollectiveSchedule solve_schedule(const Facts& facts, const Model& model) {
  World world(facts, model);
  for (int step = 0; step < facts.steps; ++step) world.run_step(step);
  return world.take_schedule();
}

void run_rank(const Facts& facts, const Model& model, const CollectiveSchedule& schedule, int rank,
              TimelineSink& sink) {
  RankSimulator simulator(facts, model, rank, sink);
  std::vector<Instruction> program;
  std::vector<size_t> next(schedule.size());
  for (int step = 0; step < facts.steps; ++step) {
    model.build_step(rank, step, program);
    simulator.start_step(step, program);
    while (const std::optional<Meeting> meeting = simulator.advance()) {
      const auto id = static_cast<size_t>(meeting->communicator);
      simulator.release(schedule[id][next[id]++]);
    }
  }
  simulator.finish();
}

}  // namespace stepwise::example
