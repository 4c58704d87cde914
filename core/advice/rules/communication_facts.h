// Facts about communication and about ranks beside each other. Internal to this folder.
#pragma once

#include <vector>

#include "core/advice/rules/facts.h"

namespace stepwise::advice {

/// Out of comm_overlap, find_stragglers and cluster_summary, whose lists of operations and ranks must be whole.
void add_communication_facts(const Answers& answers, std::vector<Fact>& out);

}  // namespace stepwise::advice
