// Iterations that the profiler timed without decomposing them (msprof's step_trace); in integer ns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "steps.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

struct TimedStep {
  std::optional<int64_t> number;
  int64_t iteration_ns = 0;
  std::optional<int64_t> start_ns, end_ns;
  int64_t row = 0;  // in the file
};

struct TimedSteps {
  std::vector<TimedStep> steps;
  std::string file;

  /// By number; the first of several. nullptr: there is none.
  const TimedStep* find(int64_t number) const;
};

/// Rows with an iteration time and no decomposition.
TimedSteps timed_steps(const sdk::Call& call, const sdk::TableView& step_table);

/// When an iteration runs and none before it does any more.
struct TimedRange {
  const TimedStep* step;  // of the list that it was made of; with a start and an end
  int64_t from_ns;
};

/// In order of time; iterations without a start and an end are left out.
std::vector<TimedRange> timed_ranges(const TimedSteps& timed);
/// The one that holds the instant. nullptr: none does.
const TimedRange* range_at(const std::vector<TimedRange>& ranges, int64_t ns);

/// The same, decomposed by the kernels that start in them: a kernel belongs whole to the first iteration that holds its
/// start, and lengthens it if it ends later. Iterations without a start and an end are left out, and those before and
/// behind the kernels that were collected.
Steps steps_by_time(const sdk::Call& call, const sdk::TableView& kernel_table, const TimedSteps& timed);

}  // namespace stepwise::overview
