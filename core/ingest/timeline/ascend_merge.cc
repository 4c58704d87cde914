#include "core/ingest/timeline/ascend_merge.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/ingest/timeline/ascend_links.h"
#include "core/ingest/timeline/trace_columns.h"
#include "stepwise/tables.hpp"

namespace stepwise::ingest {
namespace {

constexpr size_t kPendingChunk = 1 << 13;

}  // namespace

AscendMerger::AscendMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file,
                           const KernelRows* kernels)
    : TraceMerger(out, diagnostics, std::move(file)), kernels_(kernels) {}

void AscendMerger::take_slices(WindowEvents& window) {
  for (SliceRecord& slice : window.slices) take_slice(slice, window.file_offset);
}

void AscendMerger::take_slice(SliceRecord& slice, uint64_t file_offset) {
  const auto src_pos = static_cast<int64_t>(file_offset + slice.position);
  number(slice);
  switch (slice.kind) {
    case SliceKind::host_op:
      return host_op_.add(out_, slice, src_pos);
    case SliceKind::python_call:
      return python_call_.add(out_, slice, src_pos);
    case SliceKind::enqueue:
    case SliceKind::dequeue:
      return queue_.add(out_, slice, src_pos);
    case SliceKind::other:
      return count_other_category(slice.category, static_cast<uint64_t>(src_pos));
    case SliceKind::unstated:
      break;
  }
  if (place_by_role(tracks_.role(slice.track), slice, src_pos)) return;
  if (pending_.empty() || pending_.back().size() == kPendingChunk) pending_.emplace_back().reserve(kPendingChunk);
  pending_.back().push_back({slice, src_pos});
}

/// False: the role is not known.
bool AscendMerger::place_by_role(ProcessRole role, const SliceRecord& slice, int64_t src_pos) {
  switch (role) {
    case ProcessRole::unnamed:
      return false;
    case ProcessRole::hardware:
      device_task_.add(out_, slice, src_pos, DeviceLane::hardware);
      return true;
    case ProcessRole::communication:
      device_task_.add(out_, slice, src_pos, DeviceLane::communication);
      return true;
    case ProcessRole::runtime:
      runtime_api_.add(out_, slice, src_pos);
      return true;
    case ProcessRole::overlap:
      overlap_span_.add(out_, slice, src_pos);
      return true;
    case ProcessRole::other:
      break;
  }
  count_other("process " + std::string(tracks_.process_name(slice.track)), 1, static_cast<uint64_t>(src_pos));
  return true;
}

/// Names may stand behind the slices; a process may have none.
void AscendMerger::place_pending() {
  for (std::vector<Pending>& chunk : pending_) {
    for (const Pending& pending : chunk) {
      const SliceRecord& slice = pending.slice;
      if (place_by_role(tracks_.role(slice.track), slice, pending.src_pos)) continue;
      const ProcessRole guess =
          guess_role(slice.hint, out_.dictionary().at(slice.name), tracks_.thread_name(slice.track));
      if (place_by_role(guess, slice, pending.src_pos)) continue;
      count_other("a process without a name", 1, static_cast<uint64_t>(pending.src_pos));
    }
    give_back(chunk);
  }
}

void AscendMerger::link_kernels() {
  const AscendSources sources{host_op_, runtime_api_, queue_, device_task_, steps_, tracks_.keys()};
  const std::vector<uint32_t> tracks = framework_tracks(sources);
  const SliceColumns own = runtime_api_.slices();
  const PythonOf python = link_python({own.start_ns, own.dur_ns, tracks, own.src_pos});
  report_lost_launches(sources, out_.dictionary(), file_, diagnostics_);
  if (kernels_ == nullptr || kernels_->size() == 0) return;
  const std::vector<Launch> launches = find_ascend_launches(sources, *kernels_, tracks, out_);
  fill_kernel_links(launches, python, out_);
  report_launches(launches, kernels_->start_ns, own.start_ns, file_, diagnostics_);
  report_missing_slices(launches, device_task_, file_, diagnostics_);
}

void AscendMerger::finish(int64_t base_ns, unsigned threads) {
  place_pending();
  base_ns = fitting_base(base_ns, {&host_op_, &python_call_, &runtime_api_, &queue_, &device_task_, &overlap_span_});
  steps_.finish(out_, tracks_.keys(), base_ns);
  run({[&] { counter_.put_in_order(base_ns); }, [&] { python_call_.put_in_order(base_ns); },
       [&] { host_op_.put_in_order(base_ns); }, [&] { device_task_.put_in_order(base_ns); },
       [&] { runtime_api_.put_in_order(base_ns); }, [&] { flows_.join(base_ns); },
       [&] { overlap_span_.put_in_order(base_ns); }, [&] { queue_.put_in_order(base_ns); }},
      threads);
  flows_.finish(out_, {{&host_op_, &python_call_, &runtime_api_, &queue_, &device_task_}, tracks_.keys().size()},
                diagnostics_, file_);
  link_kernels();
  const Arrangement arrangement{tracks_.keys(), steps_};
  run({[&] { python_call_.arrange(arrangement); }, [&] { host_op_.arrange(arrangement); },
       [&] { device_task_.arrange(arrangement); }, [&] { runtime_api_.arrange(arrangement); },
       [&] { queue_.arrange(arrangement); }},
      threads);
  runtime_api_.name_layers(out_.dictionary());
  for (HostTable* const table : {&host_op_, &python_call_, &runtime_api_}) table->finish();
  queue_.finish(out_.dictionary());
  device_task_.finish(out_.dictionary());
  report({&host_op_, &python_call_, &runtime_api_, &device_task_});
}

}  // namespace stepwise::ingest
