// Ends the process that loads it. For the worker alone.
#include <unistd.h>

#include "stepwise/registration.hpp"

namespace {

using stepwise::sdk::as_sw_str;

const struct AtLoad {
  AtLoad() { ::_exit(3); }
} at_load;

int32_t never_runs(void*, const sw_host*, sw_str) { return SW_FAILED; }

}  // namespace

STEPWISE_PLUGIN("quits_on_load", "0.1.0", "Apache-2.0",
                sw_tool{sizeof(sw_tool), 0, as_sw_str("never_runs"), never_runs});
