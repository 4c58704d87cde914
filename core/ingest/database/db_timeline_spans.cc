// What a database says of steps and of the profiler's own overlap analysis.
#include <optional>
#include <string>

#include "core/ingest/database/db_timeline.h"

namespace stepwise::ingest {
namespace {

constexpr int64_t kOverlap = 23;  // the kind of process, as exporters number them

}  // namespace

void DbTimeline::read_overlap() {
  static constexpr const char* kKinds[] = {"Computing", "Communication", "Communication(Not Overlapped)", "Free"};
  DbRows rows(database_, "OVERLAP_ANALYSIS", {required("startNs"), required("endNs"), required("type"), {"deviceId"}},
              file_, context_);
  while (rows.next()) {
    SliceRecord slice;
    const auto kind = rows.integer(2);
    if (!kind || *kind < 0 || *kind > 3 || !to_slice(rows.integer(0), rows.integer(1), slice.start_ns, slice.dur_ns)) {
      rows.leave_out("has no kind, start and end that make sense");
      continue;
    }
    const auto device = rows.integer(3);
    const int64_t pid = process_of(kOverlap, device);
    const char* const name = kKinds[*kind];
    name_once(pid, "Overlap Analysis", "NPU " + std::to_string(device.value_or(0)));
    name_once(pid, *kind, name);
    slice.position = static_cast<uint32_t>(rows.number());
    slice.track = events_.track(pid, *kind);
    slice.name = events_.text(name);
    events_.add(slice);
    ++added_;
  }
}

/// Ranges that the program marked itself (mstx). A mark is a range without length.
void DbTimeline::read_ranges() {
  DbRows rows(database_, "MSTX_EVENTS", {required("startNs"), required("endNs"), required("message"), {"globalTid"}},
              file_, context_);
  while (rows.next()) {
    SliceRecord slice;
    const auto name = strings_.find(rows.integer(2));
    if (!name || !to_slice(rows.integer(0), rows.integer(1), slice.start_ns, slice.dur_ns)) {
      rows.leave_out("has no message, start and end that make sense");
      continue;
    }
    const auto [pid, tid] = thread_of(rows.integer(3));
    name_once(pid, "Python", "CPU");
    name_once(pid, tid, "Thread " + std::to_string(tid));
    slice.kind = SliceKind::host_op;
    slice.position = static_cast<uint32_t>(rows.number());
    slice.track = events_.track(pid, tid);
    slice.name = events_.text(*name, TextForm::one_line);
    slice.category = events_.text("mstx");
    events_.add(slice);
    ++added_;
  }
}

/// Where no operator is ProfilerStep#N.
void DbTimeline::read_steps() {
  DbRows rows(database_, "STEP_TIME", {required("id"), required("startNs"), required("endNs")}, file_, context_);
  while (rows.next()) {
    StepRecord step;
    const auto id = rows.integer(0);
    if (!id || !to_slice(rows.integer(1), rows.integer(2), step.start_ns, step.dur_ns)) {
      rows.leave_out("has no number, start and end that make sense");
      continue;
    }
    step.step = *id;
    step.track = events_.track(device_.pid, device_.pid);
    step.position = static_cast<uint32_t>(rows.number());
    events_.add(step);
    ++added_;
  }
}

}  // namespace stepwise::ingest
