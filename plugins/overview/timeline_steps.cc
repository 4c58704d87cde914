#include "timeline_steps.h"

#include <algorithm>
#include <string>

namespace stepwise::overview {
namespace {

int64_t bubble_ns(const sdk::Call& call, const std::optional<sdk::TableView>& device_tasks) {
  namespace task = table::device_task;
  if (!device_tasks) return 0;
  int64_t ns = 0;
  call.for_each_row(device_tasks->rows(), [&](uint64_t row) {
    const bool receives = (*device_tasks)[task::lane][row] == "communication" &&
                          (*device_tasks)[task::name][row].rfind("hcom_receive", 0) == 0;
    if (receives) ns += (*device_tasks)[task::dur_ns][row];
  });
  return ns;
}

}  // namespace

Steps steps_of_ranges(const sdk::Call& call, const sdk::TableView& view) {
  namespace range = table::step_range;
  Steps out;
  out.file = view.source_file();
  out.by_host = true;
  out.knows_device = false;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    Step one;
    one.number = view[range::step][row];
    one.stage_ns = view[range::dur_ns][row];
    one.row = view[range::src_pos][row];
    out.steps.push_back(one);
  });
  std::stable_sort(out.steps.begin(), out.steps.end(),
                   [](const Step& a, const Step& b) { return a.number < b.number; });
  return out;
}

std::optional<Window> window_of_overlap(const sdk::Call& call, const sdk::TableView& spans,
                                        const std::optional<sdk::TableView>& device_tasks,
                                        std::optional<int64_t> only_step) {
  namespace span = table::overlap_span;
  Intervals computing, communication;
  Interval whole{INT64_MAX, INT64_MIN};
  call.for_each_row(spans.rows(), [&](uint64_t row) {
    const int64_t start_ns = spans[span::start_ns][row];
    const Interval one{start_ns, start_ns + spans[span::dur_ns][row]};
    const auto kind = spans[span::kind][row];
    whole = {std::min(whole.start_ns, one.start_ns), std::max(whole.end_ns, one.end_ns)};
    if (kind == "Computing") computing.push_back(one);
    if (kind == "Communication") communication.push_back(one);
  });
  if (computing.empty() && communication.empty()) return std::nullopt;
  computing = unite(std::move(computing));
  communication = unite(std::move(communication));

  Step step;
  step.number = only_step;
  step.computing_ns = total_ns(computing);
  step.communication_ns = total_ns(communication);
  step.not_overlapped_ns = total_ns(subtract(communication, computing));
  step.overlapped_ns = step.communication_ns - step.not_overlapped_ns;
  step.bubble_ns = bubble_ns(call, device_tasks);
  step.free_ns = total_ns({whole}) - step.busy_ns();
  step.stage_ns = total_ns({whole}) - step.bubble_ns;
  Window window;
  window.steps = {step};
  window.sum = step;
  window.file = spans.source_file();
  window.text = (only_step ? "step " + std::to_string(*only_step) + ", the only one of the run" : "the whole run") +
                std::string(", from its first device work to its end, by the timeline's overlap analysis");
  return window;
}

}  // namespace stepwise::overview
