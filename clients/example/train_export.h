// A training run on disk: one torch_npu directory for each rank, and truth.json beside them.
#pragma once

#include "clients/example/example.h"

namespace stepwise::example {

/// Options are checked and the directory is prepared. Errors: io `example.write`.
Result<ExampleReport> write_training(const ExampleOptions& options);

}  // namespace stepwise::example
