#include "overview.h"

using namespace stepwise::overview;

STEPWISE_PLUGIN("overview", "0.1.0", "Apache-2.0", stepwise::sdk::tool<summarize_profile>("summarize_profile"),
                stepwise::sdk::tool<top_operators>("top_operators"),
                stepwise::sdk::tool<problem_operators>("problem_operators"), stepwise::sdk::tool<host_api>("host_api"),
                stepwise::sdk::tool<memory>("memory"));
