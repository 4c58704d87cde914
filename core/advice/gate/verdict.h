// What the gate says of a parameter. The rules R1 to R6 stand in docs/guide/gate.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice/parameter.h"

namespace stepwise::advice {

enum class Decision : uint8_t { accepted, downgraded, refused };
const char* to_string(Decision decision);

enum class GateRule : uint8_t { none, r1, r2, r3, r4, r5, r6 };
const char* to_string(GateRule rule);  // "R1"; none: ""

/// A parameter as somebody wants to write it.
struct Proposed {
  std::string name;  // as written: TASK_QUEUE_ENABLE, --precision_mode, torch_npu.npu.set_device_limit
  std::optional<std::string> value{};  // as written; of a call what stands between its brackets
  /// The second step of a measure whose first step is the conversion to a graph mode: in eager mode, R2 allows only
  /// that for a parameter of a graph mode.
  bool after_conversion = false;
};

struct Verdict {
  Decision decision = Decision::accepted;
  GateRule rule = GateRule::none;         // unless accepted: which rule it meets
  std::string code{};                     // unless accepted: "unknown", "contradicted", "value", "mode", "default"...
  std::string reason{};                   // unless accepted: a sentence
  const Parameter* parameter = nullptr;   // the entry; nullptr: there is none. Lives as long as the knowledge.
  std::vector<std::string> nearest{};     // names that were perhaps meant, or that are right instead
  std::vector<std::string> conditions{};  // what an accepted one depends on: a version, hardware, an open setting
};

}  // namespace stepwise::advice
