// A call's progress as the protocol wants it: figures that only grow. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/task.h"

namespace stepwise::mcp {

class ProgressSequence {
 public:
  struct Step {
    double progress = 0;
    std::optional<double> total;  // unknown: none
    std::string message;
  };

  /// Work has phases (reading, analyzing), each counting from 0 in its own unit: a later one counts on from where the
  /// last ended. A value that has not grown is sent to show that the work lives, so it moves by part of a unit.
  /// nullopt: nothing that is greater can be said.
  std::optional<Step> next(const ProgressGauge::Value& value);

 private:
  bool started_ = false;
  std::string phase_;
  uint64_t phase_done_ = 0;  // highest seen in this phase
  double base_ = 0;          // where this phase began
  double last_ = 0;
};

}  // namespace stepwise::mcp
