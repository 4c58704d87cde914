// Parts of a summary beside the step's breakdown: instances, fusion, cores, the gap.
#pragma once

#include "summary.h"

namespace stepwise::overview {

/// instances_fit, fusion, cores and gap, each null where the input cannot tell.
void write_parts(sdk::JsonWriter& w, const Summary& summary);

}  // namespace stepwise::overview
