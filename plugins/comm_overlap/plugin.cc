#include "comm_overlap.h"

STEPWISE_PLUGIN("comm_overlap", "0.1.0", "Apache-2.0",
                stepwise::sdk::tool<stepwise::comm_overlap::comm_overlap>("comm_overlap"));
