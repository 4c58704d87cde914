#include "cluster.h"

STEPWISE_PLUGIN("cluster", "0.1.0", "Apache-2.0",
                stepwise::sdk::tool<stepwise::cluster::cluster_summary>("cluster_summary"),
                stepwise::sdk::tool<stepwise::cluster::find_stragglers>("find_stragglers"));
