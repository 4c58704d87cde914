// What a report asks, in the order of its chapters. The one list: `stepwise analyze` runs it, and so does whoever else
// writes a report. A tool that is not on it is asked too if it needs nothing but a profile (see
// clients/cli/analyze.cc), in a chapter of its own at the end.
#pragma once

#include <span>
#include <string_view>

namespace stepwise::report {

/// Whether a report says that a tool does not apply, or leaves its chapter out: graphs are an input of their own, and
/// nobody misses the stages of a training step in inference.
enum class Asked : unsigned char { always, where_it_applies };

struct PlannedCall {
  std::string_view chapter;  // id; calls of one chapter stand side by side
  std::string_view tool;
  std::string_view arguments_json;  // beside `profile`
  Asked asked;
};

std::span<const PlannedCall> plan();
bool is_planned(std::string_view tool);

}  // namespace stepwise::report
