// The steps that an answer is about: one of them, or the mean of all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "steps.h"

namespace stepwise::overview {

struct Window {
  std::vector<Step> steps;  // at least one
  Step sum;
  std::string text;  // for the reader: which steps, from where to where
  std::string file;
  bool by_profiler = false, by_time = false;  // as in Steps
  bool tells_copies = false;                  // a GPU trace: copies are a part of their own, and no bubble is known
  bool whole_trace = false;                   // a GPU trace from end to end: one "step" that holds all of them

  /// The mean over the steps.
  double us(int64_t sum_ns) const { return static_cast<double>(sum_ns) / (1000.0 * static_cast<double>(steps.size())); }
};

/// whole_trace, step (one of a number), steps (their mean) or run (one without a number).
const char* window_of(const Window& window);

/// The whole run by its kernels alone: neither the profiler nor the host has divided it into steps.
bool is_undivided_run(const Window& window);

/// nullopt: there is no such step, or no step at all.
std::optional<Window> choose_window(const Steps& steps, std::optional<int64_t> number);

/// The step that takes longest, where it takes more than twice the median (nearest rank): the mean is then no typical
/// step. nullptr: they are alike, or fewer than three.
const Step* step_beyond_median(const Window& window);

/// Pipelines: most of the communication that nothing hides is bubble, so another stage's work is what costs.
bool waits_for_pipeline(const Step& sum);

/// "11, 12, 13", or the first few and how many there are.
std::string list_steps(const std::vector<Step>& steps);

/// A part of the step's wall time.
struct Part {
  const char* name;
  int64_t sum_ns;  // over the window's steps
  const char* says;
};
/// The parts of the wall time, largest first; they add up to stage plus bubble to the ns. What the file's own rounding
/// leaves over is a part of its own, the last.
std::vector<Part> where_time_goes(const Window& window);

}  // namespace stepwise::overview
