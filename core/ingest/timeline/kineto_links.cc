#include "core/ingest/timeline/kineto_links.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/ingest/base/rows_by_id.h"
#include "core/ingest/timeline/trace_innermost.h"

namespace stepwise::ingest {
namespace {

/// Ids below 1 stand where there is none.
RowsById rows_by(const std::vector<int64_t>& ids) {
  RowsById rows;
  for (size_t row = 0; row < ids.size(); ++row) {
    if (ids[row] >= 1) rows.add(ids[row], static_cast<uint32_t>(row));
  }
  rows.finish();
  return rows;
}

/// For some years External id of a kernel repeated its correlation id, and named no operator.
bool external_ids_name_operators(const KernelTable& kernels) {
  const std::vector<int64_t>&external = kernels.external_ids(), &correlation = kernels.correlation_ids();
  for (size_t row = 0; row < external.size(); ++row) {
    if (external[row] != kNoNumber && external[row] != correlation[row]) return true;
  }
  return false;
}

/// cudaLaunchKernel, cuLaunchKernelEx, hipExtModuleLaunchKernel, cudaLaunchCooperativeKernel...
bool is_kernel_launch(std::string_view name) {
  const size_t at = name.find("Launch");
  return at != name.npos && name.find("Kernel", at) != name.npos;
}

}  // namespace

std::vector<Launch> find_launches(const LaunchSources& sources) {
  const SliceColumns kernels = sources.kernels.slices(), ops = sources.host_ops.slices(),
                     calls = sources.calls.slices();
  const std::vector<int64_t>&correlation = sources.kernels.correlation_ids(),
        &external = sources.kernels.external_ids();
  const RowsById call_of = rows_by(sources.calls.link_ids()), op_of = rows_by(sources.host_ops.external_ids());
  const std::vector<uint32_t> innermost = innermost_running(calls, ops, sources.track_count, AtOneStart::outer_holds);
  const bool use_external = external_ids_name_operators(sources.kernels);

  std::vector<Launch> launches(kernels.start_ns.size());
  for (size_t row = 0; row < launches.size(); ++row) {
    Launch& launch = launches[row];
    const int64_t start = kernels.start_ns[row];
    launch.call = call_of.find(correlation[row], start, calls.start_ns);
    if (launch.call != Launch::kNone) {
      launch.how = Launch::How::correlation;
      launch.host_op = innermost[launch.call];
      launch.step = sources.steps.step_at(calls.start_ns[launch.call]);
    }
    if (launch.host_op != Launch::kNone || !use_external) continue;
    launch.host_op = op_of.find(external[row], start, ops.start_ns);
    if (launch.host_op == Launch::kNone || launch.how == Launch::How::correlation) continue;
    launch.how = Launch::How::external_id;
    launch.step = sources.steps.step_at(ops.start_ns[launch.host_op]);
  }
  return launches;
}

std::vector<int64_t> steps_of_kernels(const LaunchSources& sources, const std::vector<Launch>& launches) {
  const SliceColumns kernels = sources.kernels.slices();
  std::vector<int64_t> steps;
  steps.reserve(launches.size());
  for (size_t row = 0; row < launches.size(); ++row) {
    const bool is_known = launches[row].how != Launch::How::unknown;
    steps.push_back(is_known ? launches[row].step : sources.steps.step_at(kernels.start_ns[row]));
  }
  return steps;
}

void report_lost_launches(const LaunchSources& sources, const store::Dictionary& dictionary, const std::string& file,
                          Diagnostics& diagnostics) {
  const SliceColumns calls = sources.calls.slices();
  const RowsById kernel_of = rows_by(sources.kernels.correlation_ids());
  std::vector<int8_t> launches(dictionary.size(), -1);  // by name; -1: not looked at
  uint64_t launching = 0, lost = 0;
  std::optional<int64_t> first;
  for (uint32_t row = 0; row < calls.start_ns.size(); ++row) {
    const int32_t name = sources.calls.name_code(row);
    int8_t& is_launch = launches[static_cast<size_t>(name)];
    if (is_launch < 0) is_launch = is_kernel_launch(dictionary.at(name)) ? 1 : 0;
    const int64_t correlation = sources.calls.link_ids()[row];
    if (is_launch == 0 || correlation < 1) continue;
    ++launching;
    if (kernel_of.has(correlation)) continue;
    ++lost;
    first = std::min(first.value_or(INT64_MAX), calls.src_pos[row]);
  }
  report_lost_launches(lost, launching, first, file, diagnostics);
}

}  // namespace stepwise::ingest
