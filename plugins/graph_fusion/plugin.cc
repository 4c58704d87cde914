#include "graph_fusion.h"

using namespace stepwise::graph_fusion;

STEPWISE_PLUGIN("graph_fusion", "0.1.0", "Apache-2.0", stepwise::sdk::tool<repeated_subgraphs>("repeated_subgraphs"));
