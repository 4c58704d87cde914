// Pipeline stages against each other: their ranks have different work by design, and the longest one sets the pace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parallel_groups.h"
#include "rank_figures.h"
#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

/// One stage: means over its ranks, in us a step.
struct PipelineStage {
  int64_t pipeline = 0;
  std::vector<uint32_t> ranks;  // ascending; those with figures
  double computing_us = 0, not_overlapped_us = 0;
};

struct Pipeline {
  std::vector<PipelineStage> stages;  // by number; at least two
  size_t longest = 0, shortest = 0;   // indices, by computing

  /// By how much the longest stage computes more than the mean of all. nullopt: none computes.
  std::optional<double> imbalance_ratio() const;
  /// Enough that dividing the layers otherwise would pay.
  bool is_uneven() const;
  /// "pp 1 (ranks 2, 3) computes 400.0 ms a step, pp 0 (ranks 0, 1) 231.0 ms".
  std::string comparison() const;
};

/// nullopt: the profile tells of fewer than two stages with figures.
std::optional<Pipeline> read_pipeline(const Figures& figures, const ParallelGroups& groups);

/// The object, or null, as the value of the key `pipeline`.
void write_pipeline(sdk::JsonWriter& w, const std::optional<Pipeline>& pipeline);

/// Where they are uneven, the suggestion to look at what the longest stage computes, of a rank whose kernels are at
/// hand; into a list that is open.
void write_next_of_pipeline(sdk::JsonWriter& w, sdk::Call& call, const std::optional<Pipeline>& pipeline);

/// "0, 1", or the first few and how many there are.
std::string list_ranks(const std::vector<uint32_t>& ranks);

}  // namespace stepwise::cluster
