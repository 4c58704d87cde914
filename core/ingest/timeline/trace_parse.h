// Parses the events of one window. One thread at a time; several parsers may work on different windows.
#pragma once

#include <memory>

#include "core/ingest/timeline/trace_event.h"
#include "core/ingest/timeline/trace_interpret.h"

namespace stepwise::ingest {

class WindowParser {
 public:
  /// number: which of the parsers it is; the windows that it gives out say so.
  WindowParser(unsigned number, MakeInterpreter* make);
  ~WindowParser();
  WindowParser(const WindowParser&) = delete;
  WindowParser& operator=(const WindowParser&) = delete;

  /// What the window holds, replacing what was in `out`. Which events are lost does not depend on how the events were
  /// spread over windows.
  void parse(TraceWindow& window, WindowEvents& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stepwise::ingest
