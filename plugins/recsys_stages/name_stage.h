// What a name says of its stage, before what encloses it is looked at.
#pragma once

#include <string_view>

#include "stage.h"

namespace stepwise::recsys_stages {

enum class Collective : uint8_t { none, all_to_all, all_reduce, all_gather, other };

struct NameVerdict {
  Stage stage = Stage::unclassified;
  Collective collective = Collective::none;  // then the stage is that of the call that launched it
};

/// docs/metrics.md, Stages: Which stage.
NameVerdict judge_name(std::string_view name);

/// Of a collective's kernel or host call; `other` for what is none of the three.
Collective collective_kind(std::string_view name);

/// Whether the host waits in a call of that name: a result, an awaitable, a synchronisation, a scalar from the device.
bool is_wait(std::string_view name);

}  // namespace stepwise::recsys_stages
