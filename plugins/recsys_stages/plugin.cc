#include "recsys_stages.h"

using namespace stepwise::recsys_stages;

STEPWISE_PLUGIN("recsys_stages", "0.1.0", "Apache-2.0", stepwise::sdk::tool<stage_breakdown>("stage_breakdown"),
                stepwise::sdk::tool<ir_tree>("ir_tree"), stepwise::sdk::tool<stage_async>("stage_async"),
                stepwise::sdk::tool<stage_alignment>("stage_alignment"));
