// msprof_<time>.db of one device's inference: the run that the text files tell, but for counters.
#pragma once

#include <filesystem>

#include "clients/example/infer_writers.h"
#include "core/base/error.h"

namespace stepwise::example {

/// Its size. Errors: io `example.write`.
Result<int64_t> write_msprof_db(const std::filesystem::path& path, const InferExport& run);

}  // namespace stepwise::example
