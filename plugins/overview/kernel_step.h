// A step while its kernels are added, in the order of their starts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "steps.h"

namespace stepwise::overview {

/// Grows a union of intervals that arrive in order of their starts.
struct Union {
  int64_t total_ns = 0, end_ns = 0;
  bool empty = true;

  void add(int64_t start_ns, int64_t stop_ns) {
    const int64_t from = empty ? start_ns : std::max(start_ns, end_ns);
    if (stop_ns > from) total_ns += stop_ns - from;
    end_ns = empty ? stop_ns : std::max(end_ns, stop_ns);
    empty = false;
  }
};

struct KernelStep {
  Union computing, communication, busy;
  int64_t first_ns = 0, bubble_ns = 0, operator_ns = 0;

  void add(int64_t start_ns, int64_t dur_ns, bool communicates, std::string_view name) {
    if (busy.empty) first_ns = start_ns;
    (communicates ? communication : computing).add(start_ns, start_ns + dur_ns);
    busy.add(start_ns, start_ns + dur_ns);
    if (!communicates) operator_ns += dur_ns;
    if (communicates && name.rfind("hcom_receive", 0) == 0) bubble_ns += dur_ns;
  }

  /// Decomposed; start_ns to stop_ns is the step's wall time, and holds all its kernels.
  Step step(std::optional<int64_t> number, int64_t start_ns, int64_t stop_ns) const {
    Step out;
    out.number = number;
    out.computing_ns = computing.total_ns;
    out.communication_ns = communication.total_ns;
    out.not_overlapped_ns = busy.total_ns - computing.total_ns;
    out.overlapped_ns = communication.total_ns - out.not_overlapped_ns;
    out.free_ns = stop_ns - start_ns - busy.total_ns;
    out.bubble_ns = bubble_ns;
    out.stage_ns = stop_ns - start_ns - bubble_ns;
    out.operator_ns = operator_ns;
    return out;
  }
};

}  // namespace stepwise::overview
