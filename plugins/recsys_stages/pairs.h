// The two pairs of stages that need not wait for each other: do they run side by side?
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "step_model.h"

namespace stepwise::recsys_stages {

inline constexpr std::array<std::array<Stage, 2>, 2> kPairs{
    {{Stage::preprocess, Stage::embedding_fetch}, {Stage::update_embedding, Stage::update_dense}}};

/// Below this share of the shorter one they run one after the other.
inline constexpr double kSerialBelow = 0.05;

/// Sums over the steps; a step's ranges are those that start in it, on any thread.
struct Pair {
  Stage a = Stage::unclassified, b = Stage::unclassified;
  int64_t a_ns = 0, b_ns = 0, overlap_ns = 0;
  int64_t shorter_ns = 0;  // of each step the shorter one: a step that stalls in one of them is no measure for the rest
  std::optional<int64_t> device_overlap_ns;  // of the work that they launched; empty: nothing is known of the device
  bool one_prefetch_thread = false;          // most of both runs on one thread that is not the main one

  /// Of the shorter one of each step; empty where no step has both.
  std::optional<double> overlap_ratio() const;
  std::optional<bool> serial() const;
};

std::array<Pair, kPairs.size()> find_pairs(const StepModel& model);

}  // namespace stepwise::recsys_stages
