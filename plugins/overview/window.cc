#include "window.h"

#include <algorithm>

namespace stepwise::overview {
namespace {

std::string describe(const Window& window) {
  const char* extent = window.by_profiler ? "from its first device work to its end, as the profiler decomposed it"
                       : window.by_time   ? "from the profiler's start to its end, with the kernels that start in it"
                                          : "from its first kernel's start to its last kernel's end";
  if (window.steps.size() > 1) {
    return "mean of " + std::to_string(window.steps.size()) + " steps (" + list_steps(window.steps) + "), each " +
           extent;
  }
  const auto number = window.steps.front().number;
  const std::string what = number ? "step " + std::to_string(*number) : "the whole run (it has no step annotation)";
  return what + ", " + extent;
}

}  // namespace

const Step* step_beyond_median(const Window& window) {
  constexpr int64_t kFarTimes = 2;
  if (window.steps.size() < 3) return nullptr;  // of two steps neither is the typical one
  std::vector<const Step*> sorted;
  for (const Step& step : window.steps) sorted.push_back(&step);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Step* a, const Step* b) { return a->wall_ns() < b->wall_ns(); });
  const int64_t median_ns = sorted[(sorted.size() - 1) / 2]->wall_ns();
  return sorted.back()->wall_ns() / kFarTimes > median_ns ? sorted.back() : nullptr;
}

bool waits_for_pipeline(const Step& sum) { return sum.bubble_ns > 0 && sum.bubble_ns >= sum.not_overlapped_ns / 2; }

std::string list_steps(const std::vector<Step>& steps) {
  constexpr size_t kShown = 8;
  std::string text;
  for (size_t i = 0; i < steps.size() && i < kShown; ++i) {
    text += (i > 0 ? ", " : "") + (steps[i].number ? std::to_string(*steps[i].number) : std::string("unnumbered"));
  }
  if (steps.size() > kShown) text += ", ... " + std::to_string(steps.size()) + " in all";
  return text;
}

const char* window_of(const Window& window) {
  if (window.whole_trace) return "whole_trace";
  if (window.steps.size() > 1) return "steps";
  return window.steps.front().number ? "step" : "run";
}

bool is_undivided_run(const Window& window) {
  const bool is_divided = window.by_profiler || window.by_time || window.tells_copies;
  return !is_divided && window.steps.size() == 1 && !window.steps.front().number;
}

std::optional<Window> choose_window(const Steps& steps, std::optional<int64_t> number) {
  Window window;
  window.file = steps.file;
  window.by_profiler = steps.by_profiler;
  window.by_time = steps.by_time;
  for (const Step& step : steps.steps) {
    if (number && step.number != number) continue;
    window.steps.push_back(step);
    window.sum.add(step);
  }
  if (window.steps.empty()) return std::nullopt;
  window.text = describe(window);
  return window;
}

std::vector<Part> where_time_goes(const Window& window) {
  const Step& sum = window.sum;
  std::vector<Part> parts = {
      {"computing", sum.computing_ns, "union of computation on all streams"},
      {"communication_not_overlapped", sum.not_overlapped_ns, "communication that no computation hides"},
      {"free", sum.free_ns, "neither computation nor communication"},
  };
  if (!window.tells_copies && waits_for_pipeline(sum)) {
    parts[1].says = "mostly bubble_us: waits for a pipeline stage";
  }
  if (window.tells_copies) {
    parts.push_back(
        {"copy_not_overlapped", sum.copy_not_overlapped_ns, "copies beside no computation or communication"});
    parts[2].says = sum.other_steps_ns > 0 ? "no row of the step ran; see other_steps_us" : "the device ran nothing";
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.sum_ns > b.sum_ns; });
  const int64_t rest_ns = sum.wall_ns() - sum.busy_ns() - sum.copy_not_overlapped_ns - sum.free_ns;
  if (rest_ns != 0) {
    parts.push_back({"rounding", rest_ns,
                     "what the file's own rounding leaves over: it computes stage from absolute times as doubles"});
  }
  return parts;
}

}  // namespace stepwise::overview
