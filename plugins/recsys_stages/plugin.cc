#include "recsys_stages.h"

using namespace stepwise::recsys_stages;

STEPWISE_PLUGIN("recsys_stages", "0.1.0", "Apache-2.0", stepwise::sdk::tool<stage_breakdown>("stage_breakdown"));
