// The host's calls that block, of host_api on GPU traces: what stops the host, and where in the program. Internal to
// this folder, but for the places.
#pragma once

#include <string_view>
#include <vector>

#include "core/advice/rules/drafts.h"
#include "core/advice/rules/facts.h"

namespace stepwise::advice {

void add_blocking_facts(const Answers& answers, std::vector<Fact>& out);

/// Where the calls stand, those with most idle time of the device first, with the line of the program where that is
/// known: of the rule host_blocks. What stands in `how` is the profile's own words.
Places places_of(const Answers& answers, std::string_view lang);

}  // namespace stepwise::advice
