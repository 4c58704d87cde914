#include "core/ingest/timeline/kineto_merge.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/base/text.h"
#include "core/ingest/exports/kernel_table.h"
#include "core/ingest/timeline/execution_trace_links.h"
#include "core/ingest/timeline/kineto_links.h"

namespace stepwise::ingest {

KinetoMerger::KinetoMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file)
    : TraceMerger(out, diagnostics, std::move(file)) {}

void KinetoMerger::take_slices(WindowEvents& window) {
  for (KinetoSlice& slice : window.kineto_slices) {
    number(slice);
    slice.group = code(slice.group);
    take_slice(slice, static_cast<int64_t>(window.file_offset + slice.position));
  }
}

void KinetoMerger::take_slice(KinetoSlice& slice, int64_t src_pos) {
  if (slice.group != kNoText) groups_.add(slice, src_pos);
  switch (slice.what) {
    case KinetoKind::host_op:
      host_op_.add_external_id(slice.external_id);
      host_op_.add_record_id(slice.record_id);
      return host_op_.add(out_, slice, src_pos);
    case KinetoKind::python_call:
      return python_call_.add(out_, slice, src_pos);
    case KinetoKind::runtime_api:
      return runtime_api_.add(out_, slice, src_pos);
    case KinetoKind::kernel:
    case KinetoKind::copy:
    case KinetoKind::memset:
      return kernels_.add(out_, slice, src_pos);
    case KinetoKind::sync:
      return add_device_slice(DeviceLane::cuda_sync, slice, src_pos);
    case KinetoKind::user_annotation:
      return add_device_slice(DeviceLane::gpu_user_annotation, slice, src_pos);
    case KinetoKind::overhead:
      return add_device_slice(DeviceLane::overhead, slice, src_pos);
    case KinetoKind::span:
      return add_device_slice(DeviceLane::span, slice, src_pos);
    case KinetoKind::other:
      break;
  }
  if (slice.has_device_arguments) count_device_unread(slice, src_pos);
  if (slice.category == kNoText) return count_other("a slice without a category", 1, static_cast<uint64_t>(src_pos));
  count_other_category(slice.category, static_cast<uint64_t>(src_pos));
}

void KinetoMerger::count_device_unread(const KinetoSlice& slice, int64_t src_pos) {
  const std::string category =
      slice.category == kNoText ? "none" : shorten(std::string(out_.dictionary().at(slice.category)), 40);
  diagnostics_.count(Diag::event_device_unread, file_, src_pos, 1, "First: category " + category + ".");
}

void KinetoMerger::add_device_slice(DeviceLane lane, KinetoSlice& slice, int64_t src_pos) {
  slice.task_type = slice.category;
  device_task_.add(out_, slice, src_pos, lane);
}

bool KinetoMerger::needs_base() const {
  constexpr int64_t kCenturyNs = 978'307'200'000'000'000;
  int64_t latest = 0;
  for (const SliceTable* const table : std::initializer_list<const SliceTable*>{&host_op_, &runtime_api_, &kernels_}) {
    latest = std::max(latest, table->latest_start_ns());
  }
  return latest < kCenturyNs;
}

bool KinetoMerger::has_call_numbers() const {
  if (host_op_.empty()) return false;
  const store::ColumnBuffer& numbers = out_.table(table::host_op::kTable).column(table::host_op::external_id);
  return numbers.null_count < numbers.rows();
}

void KinetoMerger::link_calls(const TracedNodes& traced, const std::string& trace_file) {
  link_calls_by_order(traced, trace_file, call_ids_, out_, diagnostics_);
}

void KinetoMerger::finish(int64_t base_ns, unsigned threads) {
  base_ns = fitting_base(base_ns, {&host_op_, &python_call_, &runtime_api_, &kernels_, &device_task_});
  steps_.finish(out_, tracks_.keys(), base_ns);
  run({[&] { runtime_api_.put_in_order(base_ns); }, [&] { host_op_.put_in_order(base_ns); },
       [&] { python_call_.put_in_order(base_ns); }, [&] { kernels_.put_in_order(base_ns); },
       [&] { flows_.join(base_ns); }, [&] { counter_.put_in_order(base_ns); },
       [&] { device_task_.put_in_order(base_ns); }},
      threads);
  const FlowTargets targets{
      .tables = {&host_op_, &python_call_, &runtime_api_, &kernels_, &device_task_},
      .track_count = tracks_.keys().size(),
      .ids = {nullptr, nullptr, &runtime_api_.link_ids(), &kernels_.correlation_ids(), &device_task_.connection_ids()},
      // Each call has an end of its own, whether it launched anything or not.
      .lone_ends_on = &runtime_api_};
  flows_.finish(out_, targets, diagnostics_, file_);
  const LaunchSources sources{kernels_, host_op_, runtime_api_, steps_, tracks_.keys().size()};
  const std::vector<Launch> launches = find_launches(sources);
  kernels_.finish(out_.dictionary(), steps_of_kernels(sources, launches),
                  groups_.of_kernels(kernels_, runtime_api_, launches, tracks_.keys().size(), base_ns));
  report_far_kernels(out_, KernelPlaces::bytes, file_, diagnostics_);
  fill_kernel_links(launches, link_python(runtime_api_.slices()), out_);
  report_lost_launches(sources, out_.dictionary(), file_, diagnostics_);
  report_launches(launches, kernels_.slices().start_ns, runtime_api_.slices().start_ns, file_, diagnostics_);
  fill_timed_steps(steps_, out_);
  if (keeps_call_ids_) call_ids_ = host_op_.external_ids();  // arranging gives them back
  const Arrangement arrangement{tracks_.keys(), steps_};
  run({[&] { host_op_.arrange(arrangement); }, [&] { python_call_.arrange(arrangement); },
       [&] { runtime_api_.arrange(arrangement); }, [&] { device_task_.arrange(arrangement); }},
      threads);
  for (HostTable* const table : {&host_op_, &python_call_, &runtime_api_}) table->finish();
  device_task_.finish(out_.dictionary());
  // What the device saw of annotations need not nest with its waiting: device_task is left out.
  report({&host_op_, &python_call_, &runtime_api_}, {&kernels_, &device_task_});
}

}  // namespace stepwise::ingest
