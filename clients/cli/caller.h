// Calls a tool and waits for its answer: with progress on the terminal, until a signal asks to stop. [main]
#pragma once

#include <string>

#include "clients/cli/console.h"
#include "clients/cli/stop_signal.h"
#include "clients/cli/terminal_progress.h"
#include "core/engine/engine.h"

namespace stepwise::cli {

class Caller {
 public:
  /// All are borrowed. Without `show_progress`, or where standard error is no terminal, nothing is drawn.
  Caller(engine::Engine& engine, Console& console, const StopSignal& stop, bool show_progress);

  /// A signal cancels the call: the error is `call.cancelled` then.
  engine::Answer call(const std::string& tool, Json arguments);
  bool stopped() const { return stop_.requested(); }

 private:
  engine::Engine& engine_;
  const StopSignal& stop_;
  ProgressLine line_;
};

}  // namespace stepwise::cli
