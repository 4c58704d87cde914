// The whole program: what main calls. [main]
#pragma once

#include "clients/cli/extras.h"

namespace stepwise::cli {

/// Returns the exit code. Once in a process, before any thread is started.
int run_program(int argc, char** argv, const Extras& extras);

}  // namespace stepwise::cli
