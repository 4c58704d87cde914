#include "execution_mode.h"

using namespace stepwise::execution_mode;

STEPWISE_PLUGIN("execution_mode", "0.1.0", "Apache-2.0", stepwise::sdk::tool<detect_scenario>("detect_scenario"),
                stepwise::sdk::tool<detect_execution_mode>("detect_execution_mode"));
