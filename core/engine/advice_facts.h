// What advice is founded on: the answers of the tools that measure, and what is known of the run.
#pragma once

#include <string>
#include <vector>

#include "core/advice/applies.h"
#include "core/advice/rules/metric_set.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

/// Tools whose metrics rules may ask for; those that are not there are left out.
const std::vector<std::string>& measuring_tools();

/// The declaration of a tool that gathers them, with what that needs.
Json with_measuring_tools(Json declaration);

struct AdviceFacts {
  advice::Answers answers;  // by tool; one that failed is not among them
  advice::Context context;
  std::vector<Missing> missing;  // tools that failed, and why
};

/// Asks each of them by a nested call, about the call's rank or the whole profile, as each of them is.
/// Errors: cancelled.
Result<AdviceFacts> gather_facts(CallHost& host, uint32_t rank);

}  // namespace stepwise::engine
