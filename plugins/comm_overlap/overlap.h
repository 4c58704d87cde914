// Where communication is not hidden, step by step, from the best source that the profile has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "partition.h"

namespace stepwise::comm_overlap {

struct Uncovered {
  Interval when;
  std::optional<int64_t> step;
};

struct Overlap {
  std::vector<Breakdown> windows;    // at least one: steps in order, or the whole run
  std::vector<Uncovered> uncovered;  // in order of their starts
  const char* source = "";           // timeline, kernels, device_rows, step_file
  std::string file, extent;          // what a window reaches from and to, for the reader
  bool knows_copies = false;         // copies are told from free time
  bool knows_bubble = false;
  bool of_step_file = false;  // the windows are what the profiler wrote
};

/// From the profiler's own overlap analysis over the whole rank: a piece belongs whole to the first step whose device
/// range holds its start. nullopt: there is none.
std::optional<Overlap> overlap_of_timeline(sdk::Call& call, uint32_t rank);

/// The same from the kernels of the whole rank, whose unions the overlap analysis is. nullopt: nothing says where the
/// host's steps end, or no kernel is of a step.
std::optional<Overlap> overlap_of_host_steps(sdk::Call& call, uint32_t rank);

/// From the rows of the kernel table, each in the step that the profiler gave it; rows without a step only where none
/// has one. A window ends with its last kernel. GPUs: of all device rows together, or those of one step.
std::optional<Overlap> overlap_of_kernels(sdk::Call& call, uint32_t rank);
std::optional<Overlap> overlap_of_device_rows(sdk::Call& call, uint32_t rank, std::optional<int64_t> step);

/// Sums as the step table has them, without spans. nullopt: it decomposes no step.
std::optional<Overlap> overlap_of_step_file(sdk::Call& call, uint32_t rank);

/// Whether a communication operation waits for another pipeline stage's data.
bool receives(std::string_view name);

}  // namespace stepwise::comm_overlap
