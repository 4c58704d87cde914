#include "protocol/mcp/progress.h"

#include <cmath>

namespace stepwise::mcp {

std::optional<ProgressSequence::Step> ProgressSequence::next(const ProgressGauge::Value& value) {
  if (phase_ != value.phase || value.done < phase_done_) base_ = started_ ? std::ceil(last_) : 0;
  phase_ = value.phase;
  phase_done_ = value.done;

  double progress = base_ + static_cast<double>(value.done);
  if (started_ && progress <= last_) {
    // Halfway to the next whole unit: greater than the last, and no unit claimed that is not done.
    const double next_unit = std::floor(last_) + 1;
    progress = last_ + (next_unit - last_) / 2;
    if (progress <= last_ || progress >= next_unit) return std::nullopt;  // the last bit of a double is used up
  }
  started_ = true;
  last_ = progress;
  Step step{progress, std::nullopt, phase_};
  if (value.total > 0) step.total = base_ + static_cast<double>(value.total);
  return step;
}

}  // namespace stepwise::mcp
