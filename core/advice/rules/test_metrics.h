// A profile's metrics, for tests: an answer that holds nothing else.
#pragma once

#include "core/advice/rules/metric_set.h"

namespace stepwise::advice {

inline MetricSet metrics_of(const Json& metrics) { return MetricSet::from({{"test", Json{{"metrics", metrics}}}}); }

}  // namespace stepwise::advice
