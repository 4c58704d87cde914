// What a reader of the summary is to doubt, and to look at next.
#pragma once

#include "stepwise/sdk.hpp"
#include "summary.h"

namespace stepwise::overview {

/// The key `warnings`.
void write_warnings(sdk::JsonWriter& w, const Summary& summary);

/// The key `next`: calls that say where the largest parts of the time come from.
void write_next(sdk::JsonWriter& w, const Summary& summary);

}  // namespace stepwise::overview
