// One line on the terminal that says how far a long piece of work is; redrawn in place, gone at the end.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "clients/cli/terminal.h"
#include "core/base/task.h"

namespace stepwise::cli {

/// "reading  [######      ]  42 %  1.2 GiB of 2.9 GiB  0:12 left", cut to the terminal's width. `elapsed` is the
/// time since the phase began; no estimate is made before it is a second.
std::string progress_text(const ProgressGauge::Value& value, std::chrono::milliseconds elapsed,
                          const Terminal& terminal);

/// Draws nothing on anything but a terminal, and nothing for work that is done at once. One thread.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;
  using Write = std::function<void(std::string_view)>;

  ProgressLine(const Terminal& terminal, Write write) : terminal_(terminal), write_(std::move(write)) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const ProgressGauge::Value& value, Clock::time_point now);
  void clear();

 private:
  Terminal terminal_;
  Write write_;
  std::string phase_, drawn_;
  uint64_t total_ = 0;
  Clock::time_point phase_began_{}, began_{};
  bool began_set_ = false;
};

}  // namespace stepwise::cli
