// Work that a step does for a later one, and how far it runs ahead.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "step_model.h"

namespace stepwise::recsys_stages {

/// A range or call that fetches for a later step, by its name; the outermost where they are nested.
struct PrefetchEvent {
  enum class Target : uint8_t { unknown, name, order };

  uint64_t row = 0;  // in host_op
  uint32_t window = 0;
  bool on_main = false;
  Target target = Target::unknown;  // where the step that it is for is told
  std::optional<int64_t> depth;     // that step minus the one that it runs in; more than 0
};

/// In order of start. Of the chosen windows only; what consumes them is looked for in all.
std::vector<PrefetchEvent> find_prefetch(const sdk::Call& call, const StepModel& model);

/// What the main threads of the chosen windows wait for although it should have been fetched: for results, in no stage
/// of gradients or updates, and for anything in fetches that run there.
struct FetchWaits {
  int64_t total_ns = 0;
  bool block = false;  // in any one of the steps
};
FetchWaits find_fetch_waits(const StepModel& model, const std::vector<PrefetchEvent>& events);

/// What a name says of fetching ahead. docs/metrics.md, Stages side by side.
enum class PrefetchWord : uint8_t {
  none,
  always,   // prefetch, next_step, precompute
  depends,  // prepare, pipeline...: unless it is forward, backward, or its own step's fetch
};
PrefetchWord prefetch_word(std::string_view name);
/// The keyword of it, as names are compared; empty where there is none.
std::string_view prefetch_keyword(std::string_view name);
/// The number that a name ends with, as in `prefetch#12` and `## prepare_step_12 ##`.
std::optional<int64_t> number_of_name(std::string_view name);

}  // namespace stepwise::recsys_stages
