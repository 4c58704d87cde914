// An inference run on disk: one msprof directory for each device, the graph's dump, and truth.json beside them.
#pragma once

#include "clients/example/example.h"

namespace stepwise::example {

/// Options are checked and the directory is prepared. Errors: io `example.write`.
Result<ExampleReport> write_inference(const ExampleOptions& options);

}  // namespace stepwise::example
