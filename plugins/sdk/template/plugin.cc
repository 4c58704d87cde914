// A plugin with one tool: kernels that take longer than a threshold, longest first.
#include <algorithm>
#include <vector>

#include "stepwise/sdk.hpp"

namespace {

using namespace stepwise;
namespace kernel = table::kernel;

int32_t slow_kernels(sdk::Call& call) {
  const auto kernels = call.table(call.args().ranks().at(0), kernel::kTable);
  // The manifest says that the tool needs the table, so the host answers without it; this is for tests and for care.
  if (!kernels) return call.fail(sdk::Fault::not_applicable, "slow_kernels.no_kernels", "The profile has no kernels.");

  const auto name = (*kernels)[kernel::name];
  const auto dur_ns = (*kernels)[kernel::dur_ns];
  const auto src_pos = (*kernels)[kernel::src_pos];
  const int64_t threshold_us = call.args().integer("longer_than_us").value_or(100);

  std::vector<uint64_t> slow;
  call.for_each_row(kernels->rows(), [&](uint64_t row) {
    if (dur_ns[row] > threshold_us * 1000) slow.push_back(row);
  });
  std::stable_sort(slow.begin(), slow.end(), [&](uint64_t a, uint64_t b) { return dur_ns[a] > dur_ns[b]; });

  sdk::JsonWriter w;
  w.begin_object().key("rows").begin_array();
  for (const uint64_t row : slow) {
    w.begin_object().field("name", name[row]).field("dur_us", static_cast<double>(dur_ns[row]) / 1000.0);
    w.field("file", kernels->source_file()).field("row", src_pos[row]).end_object();
  }
  w.end_array().end_object();
  return call.emit(w);
}

}  // namespace

STEPWISE_PLUGIN("slow_kernels", "0.1.0", "Apache-2.0", sdk::tool<slow_kernels>("slow_kernels"));
