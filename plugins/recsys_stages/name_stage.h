// What a name says of its stage, before what encloses it is looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "stage.h"
#include "vocabulary.h"

namespace stepwise::recsys_stages {

enum class Collective : uint8_t { none, all_to_all, all_reduce, all_gather, other };

struct NameVerdict {
  Stage stage = Stage::unclassified;
  Collective collective = Collective::none;  // then the stage is that of the call that launched it
};

/// docs/metrics.md, Stages: Which stage. A keyword of the user's own goes before the built-in ones.
NameVerdict judge_name(std::string_view name, const Vocabulary& own = {});

/// Of a collective's kernel or host call; `other` for what is none of the three.
Collective collective_kind(std::string_view name);

/// Frames, file paths and queue events are no ranges; a step is none of its own stages.
bool is_no_range(std::string_view name);

enum class WaitKind : uint8_t {
  result,           // what another thread, stream or rank hands over: *.result, wait*, *.wait()
  synchronization,  // for the device: any synchronize, a scalar read from it
  copy,             // a copy of the driver that blocks the host
};

/// What the host waits for in a call of that name; empty: it does not wait. Copies are told by their duration, not
/// here.
std::optional<WaitKind> wait_kind(std::string_view name);
inline bool is_wait(std::string_view name) { return wait_kind(name).has_value(); }

}  // namespace stepwise::recsys_stages
