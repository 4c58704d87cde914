#include "clients/example/overlap.h"

#include <utility>

namespace stepwise::example {

OverlapAnalysis::Spans OverlapAnalysis::close_step(const StepRange& range) {
  Spans spans;
  spans.computing = unite(std::exchange(computing_, {}));
  spans.communication = unite(std::exchange(communication_, {}));
  spans.not_overlapped = subtract(spans.communication, spans.computing);

  Intervals busy = spans.computing;
  busy.insert(busy.end(), spans.communication.begin(), spans.communication.end());
  busy = unite(std::move(busy));

  StepFigures figures;
  figures.number = range.number;
  figures.host_start_ns = range.start_ns;
  figures.host_end_ns = range.end_ns;
  figures.first_ns = busy.front().start_ns;
  figures.last_ns = busy.back().end_ns;
  figures.computing_ns = total_ns(spans.computing);
  figures.communication_ns = total_ns(spans.communication);
  figures.not_overlapped_ns = total_ns(spans.not_overlapped);
  figures.bubble_ns = std::exchange(bubble_ns_, 0);
  figures.stage_ns = figures.last_ns - figures.first_ns - figures.bubble_ns;

  spans.free = subtract({{figures.first_ns, figures.last_ns}}, busy);
  figures.free_ns = total_ns(spans.free);
  if (!steps_.empty()) {
    StepFigures& before = steps_.back();
    spans.free.insert(spans.free.begin(), {before.last_ns, figures.first_ns});
    before.free_ns += figures.first_ns - before.last_ns;
    before.stage_ns = figures.first_ns - before.first_ns - before.bubble_ns;
  }
  steps_.push_back(figures);
  return spans;
}

}  // namespace stepwise::example
