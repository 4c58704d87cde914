// Lines of a file that is read in windows.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>

#include "core/base/limits.h"

namespace stepwise::ingest {

/// Lines of what has passed, for places in it that are asked for in ascending order.
class LineCounter {
 public:
  void pass(std::string_view bytes) {
    for (size_t at = bytes.find('\n'); at != bytes.npos; at = bytes.find('\n', at + 1)) breaks_.push_back(passed_ + at);
    passed_ += bytes.size();
    // Nothing that is still to be told begins so far back.
    while (breaks_.size() > 2 * limits::kMaxTraceEventBytes) next_break();
  }
  int64_t line_of(uint64_t offset) {
    while (!breaks_.empty() && breaks_.front() < offset) next_break();
    return line_;
  }

 private:
  void next_break() {
    breaks_.pop_front();
    ++line_;
  }

  std::deque<uint64_t> breaks_;
  uint64_t passed_ = 0;
  int64_t line_ = 1;
};

}  // namespace stepwise::ingest
