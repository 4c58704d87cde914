// The files of one device's inference, as msprof exports them of a GE model. Each gives its size; errors: io
// `example.write`.
#pragma once

#include <cstdint>
#include <filesystem>

#include "clients/example/infer_run.h"
#include "clients/example/infer_tally.h"
#include "core/base/error.h"

namespace stepwise::example {

/// One device of a run, and all that its files are made of.
struct InferExport {
  const Facts& facts;
  const InferGraph& graph;
  int device = 0;
  const InferTally& tally;

  int64_t process_id() const { return 620'000 + static_cast<int64_t>(facts.seed % 1'000) * 97 + device * 16; }
};

Result<int64_t> write_op_summary(const std::filesystem::path& path, const InferExport& run);
Result<int64_t> write_step_trace(const std::filesystem::path& path, const InferExport& run);

/// Events of the timeline apart from counters, which may be any number.
int64_t msprof_events_without_counters(int64_t iterations, int64_t kernels);
Result<int64_t> write_msprof_trace(const std::filesystem::path& path, const InferExport& run, int64_t counters);

Result<int64_t> write_host_info(const std::filesystem::path& path, const InferExport& run);
Result<int64_t> write_device_info(const std::filesystem::path& path, const InferExport& run);
Result<int64_t> write_sample(const std::filesystem::path& path, const InferExport& run);

/// The graph is the same for all devices.
Result<int64_t> write_ge_onnx(const std::filesystem::path& path, const InferGraph& graph);

}  // namespace stepwise::example
