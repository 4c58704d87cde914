#include "summary_steps.h"

#include <algorithm>
#include <vector>

namespace stepwise::overview {
namespace {

using sdk::JsonWriter;

const Window* each_step(const Summary& s) {
  return s.window && s.window->whole_trace && s.each_step ? &*s.each_step : nullptr;
}

// As the host timed it; nullptr: the device knows the step, the host's ranges don't.
const Step* host_step(const Summary& s, const Step& step) {
  if (!s.steps) return nullptr;
  const auto it = std::find_if(s.steps->steps.begin(), s.steps->steps.end(),
                               [&step](const Step& one) { return one.number == step.number; });
  return it == s.steps->steps.end() ? nullptr : &*it;
}

int64_t time_of(const Summary& s, const Step& step) {
  const Step* const host = host_step(s, step);
  return host != nullptr ? host->wall_ns() : step.wall_ns();
}

// nullopt: the host did not time all of them.
std::optional<double> mean_host_us(const Summary& s) {
  const std::vector<Step>& steps = each_step(s)->steps;
  int64_t sum_ns = 0;
  for (const Step& step : steps) {
    const Step* const host = host_step(s, step);
    if (host == nullptr) return std::nullopt;
    sum_ns += host->wall_ns();
  }
  return us_of(sum_ns) / static_cast<double>(steps.size());
}

// The longest first; of equal ones the earlier.
std::vector<const Step*> by_time(const Summary& s) {
  std::vector<const Step*> steps;
  for (const Step& step : each_step(s)->steps) steps.push_back(&step);
  std::stable_sort(steps.begin(), steps.end(),
                   [&s](const Step* a, const Step* b) { return time_of(s, *a) > time_of(s, *b); });
  return steps;
}

}  // namespace

std::optional<size_t> steps_of_trace(const Summary& s) {
  const Window* const steps = each_step(s);
  return steps != nullptr ? std::optional(steps->steps.size()) : std::nullopt;
}

void write_each_step(JsonWriter& w, const Summary& s) {
  const Window* const steps = each_step(s);
  if (steps == nullptr) return;
  const Step& sum = steps->sum;
  w.key("per_step").begin_object().field("count", steps->steps.size());
  w.field("wall_us", steps->us(sum.wall_ns())).field("host_us", mean_host_us(s));
  w.field("computing_us", steps->us(sum.computing_ns)).field("communication_us", steps->us(sum.communication_ns));
  w.field("overlapped_us", steps->us(sum.overlapped_ns)).field("not_overlapped_us", steps->us(sum.not_overlapped_ns));
  w.field("copy_not_overlapped_us", steps->us(sum.copy_not_overlapped_ns)).field("free_us", steps->us(sum.free_ns));
  w.field("other_steps_us", steps->us(sum.other_steps_ns));
  w.field("window", steps->text).end_object();

  const std::vector<const Step*> ordered = by_time(s);
  w.key("steps").begin_array();
  for (size_t i = 0; i < std::min(ordered.size(), s.steps_shown); ++i) {
    const Step& step = *ordered[i];
    const Step* const host = host_step(s, step);
    w.begin_object().field("step", *step.number);
    w.field("host_us", host != nullptr ? std::optional(us_of(host->wall_ns())) : std::nullopt);
    w.field("wall_us", us_of(step.wall_ns())).field("computing_us", us_of(step.computing_ns));
    w.field("not_overlapped_us", us_of(step.not_overlapped_ns));
    w.field("copy_not_overlapped_us", us_of(step.copy_not_overlapped_ns)).field("free_us", us_of(step.free_ns));
    w.field("other_steps_us", us_of(step.other_steps_ns));
    w.end_object();
  }
  w.end_array();
}

const Step* step_to_look_at(const Summary& s) {
  if (each_step(s) == nullptr) return nullptr;
  const std::vector<const Step*> ordered = by_time(s);
  const Step* const median = ordered[ordered.size() / 2];
  const bool stands_out = ordered.size() > 2 && time_of(s, *ordered.front()) / 2 > time_of(s, *median);
  return stands_out ? ordered.front() : median;
}

}  // namespace stepwise::overview
