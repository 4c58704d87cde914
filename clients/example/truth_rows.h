// The parts of truth.json that every kind of run has.
#pragma once

#include "clients/example/example.h"
#include "clients/example/tally.h"
#include "core/base/json.h"

namespace stepwise::example {

Json true_top_operators(const TypeSums& by_type, const NameSums& by_name);
Json true_host_api(const ApiSums& by_api);
Json true_options(const ExampleOptions& options);

}  // namespace stepwise::example
