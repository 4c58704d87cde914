#include "core/ingest/trace_merge.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "stepwise/tables.hpp"

namespace stepwise::ingest {
namespace {

constexpr size_t kPendingChunk = 1 << 13;

}  // namespace

TraceMerger::TraceMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file)
    : out_(out),
      diagnostics_(diagnostics),
      file_(std::move(file)),
      tracks_(out.dictionary()),
      host_op_(table::host_op::kTable),
      python_call_(table::python_call::kTable),
      runtime_api_(table::runtime_api::kTable) {}

void TraceMerger::merge(WindowEvents& window) {
  take_texts(window);
  take_tracks(window);
  for (const NameRecord& name : window.names) tracks_.set_name(name.what, track_of_[name.track], code(name.text));
  for (SliceRecord& slice : window.slices) take_slice(slice, window.file_offset);
  for (const StepRecord& step : window.steps) {
    steps_.add({step.step, step.start_ns, step.dur_ns, static_cast<int64_t>(window.file_offset + step.position),
                track_of_[step.track]});
  }
  for (SampleRecord& sample : window.samples) {
    sample.name = code(sample.name);
    sample.series = code(sample.series);
    counter_.add(out_, sample, window.tracks[sample.track].pid,
                 static_cast<int64_t>(window.file_offset + sample.position));
  }
  for (FlowRecord& flow : window.flows) {
    flow.kind = code(flow.kind);
    flow.track = track_of_[flow.track];
    flows_.add(flow, window.file_offset + flow.position);
  }
  for (const Loss& loss : window.losses) {
    diagnostics_.count(loss.diag, file_, static_cast<int64_t>(loss.offset), 1, loss.detail);
  }
  for (size_t phase = 0; window.others.total != 0 && phase < window.others.count.size(); ++phase) {
    const uint64_t count = window.others.count[phase];
    if (count == 0) continue;
    const bool printable = phase > ' ' && phase < 127;
    count_other("phase " + (printable ? std::string(1, static_cast<char>(phase)) : "?"), count,
                window.others.first_offset);
  }
}

void TraceMerger::take_texts(const WindowEvents& window) {
  if (codes_of_.size() <= window.parser) codes_of_.resize(window.parser + 1);
  std::vector<int32_t>& codes = codes_of_[window.parser];
  if (window.fresh.restarted) codes.clear();
  size_t begin = 0;
  for (const size_t end : window.fresh.ends) {
    codes.push_back(out_.dictionary().intern(std::string_view(window.fresh.bytes).substr(begin, end - begin)));
    begin = end;
  }
  codes_ = &codes;
}

void TraceMerger::take_tracks(const WindowEvents& window) {
  track_of_.clear();
  for (size_t i = 0; i < window.tracks.size(); ++i) {
    track_of_.push_back(tracks_.number_of(window.tracks[i]));
    tracks_.count_events(track_of_.back(), window.sample_events[i]);
  }
}

void TraceMerger::take_slice(SliceRecord& slice, uint64_t file_offset) {
  const auto src_pos = static_cast<int64_t>(file_offset + slice.position);
  slice.track = track_of_[slice.track];
  slice.name = code(slice.name);
  slice.category = code(slice.category);
  slice.shapes = code(slice.shapes);
  slice.stack = code(slice.stack);
  slice.task_type = code(slice.task_type);
  tracks_.count_events(slice.track, 1);
  switch (slice.kind) {
    case SliceKind::host_op:
      return host_op_.add(out_, slice, src_pos);
    case SliceKind::python_call:
      return python_call_.add(out_, slice, src_pos);
    case SliceKind::enqueue:
    case SliceKind::dequeue:
      return queue_.add(out_, slice, src_pos);
    case SliceKind::other:
      ++other_categories_[slice.category];
      first_other_ = std::min(first_other_, static_cast<uint64_t>(src_pos));
      return;
    case SliceKind::unstated:
      break;
  }
  if (place_by_role(tracks_.role(slice.track), slice, src_pos)) return;
  if (pending_.empty() || pending_.back().size() == kPendingChunk) pending_.emplace_back().reserve(kPendingChunk);
  pending_.back().push_back({slice, src_pos});
}

/// False: the role is not known.
bool TraceMerger::place_by_role(ProcessRole role, const SliceRecord& slice, int64_t src_pos) {
  switch (role) {
    case ProcessRole::unnamed:
      return false;
    case ProcessRole::hardware:
      device_task_.add(out_, slice, src_pos, false);
      return true;
    case ProcessRole::communication:
      device_task_.add(out_, slice, src_pos, true);
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
void TraceMerger::place_pending() {
  for (std::vector<Pending>& chunk : pending_) {
    for (const Pending& pending : chunk) {
      const SliceRecord& slice = pending.slice;
      if (place_by_role(tracks_.role(slice.track), slice, pending.src_pos)) continue;
      const ProcessRole guess =
          guess_role(slice.hint, out_.dictionary().at(slice.name), tracks_.thread_name(slice.track));
      if (place_by_role(guess, slice, pending.src_pos)) continue;
      count_other("a process without a name", 1, static_cast<uint64_t>(pending.src_pos));
    }
    chunk = {};
  }
}

void TraceMerger::finish(int64_t base_ns, unsigned threads) {
  place_pending();
  steps_.finish(out_, tracks_.keys(), base_ns);
  arrange({tracks_.keys(), steps_, base_ns}, threads);
  for (HostTable* const table : {&host_op_, &python_call_, &runtime_api_}) table->finish(out_.dictionary());
  queue_.finish(out_.dictionary());
  device_task_.finish(out_.dictionary());
  flows_.finish(out_, {&host_op_, &python_call_, &runtime_api_, &queue_, &device_task_}, tracks_.keys().size(),
                diagnostics_, file_);
  tracks_.finish(out_);
  report_overlapping();
  report_others();
  for (const table::TableDecl* decl :
       {&table::host_op::kTable, &table::python_call::kTable, &table::runtime_api::kTable, &table::queue::kTable,
        &table::device_task::kTable, &table::overlap_span::kTable, &table::counter::kTable, &table::step_range::kTable,
        &table::flow::kTable, &table::track::kTable}) {
    if (out_.has(*decl)) out_.set_source_file(*decl, file_);
  }
}

/// Each table for itself; the largest first, so that no thread has much to do when the others are done.
void TraceMerger::arrange(const Arrangement& arrangement, unsigned threads) {
  const std::function<void()> tasks[] = {
      [&] { counter_.arrange(arrangement); },      [&] { python_call_.arrange(arrangement); },
      [&] { host_op_.arrange(arrangement); },      [&] { device_task_.arrange(arrangement); },
      [&] { runtime_api_.arrange(arrangement); },  [&] { flows_.join(arrangement.base_ns); },
      [&] { overlap_span_.arrange(arrangement); }, [&] { queue_.arrange(arrangement); },
  };
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t task = next++; task < std::size(tasks); task = next++) tasks[task]();
  };
  std::vector<std::thread> others;
  try {
    for (unsigned i = 1; i < std::min<size_t>(threads, std::size(tasks)); ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // No more threads to be had: those that there are do the work.
  }
  work();
  for (std::thread& other : others) other.join();
}

void TraceMerger::report_overlapping() {
  uint64_t count = 0;
  std::optional<int64_t> first;
  for (const SliceTable* table : {static_cast<SliceTable*>(&host_op_), static_cast<SliceTable*>(&python_call_),
                                  static_cast<SliceTable*>(&runtime_api_), static_cast<SliceTable*>(&device_task_)}) {
    if (table->overlapping() == 0) continue;
    count += table->overlapping();
    first = std::min(first.value_or(INT64_MAX), table->first_overlapping_at());
  }
  diagnostics_.count(Diag::event_overlapping, file_, first, count);
}

void TraceMerger::count_other(std::string what, uint64_t count, uint64_t offset) {
  // Any number of names may come; those beyond the first ones are counted together.
  constexpr size_t kMaxKinds = 100;
  if (others_.size() >= kMaxKinds && others_.find(what) == others_.end()) what = "other kinds";
  others_[std::move(what)] += count;
  first_other_ = std::min(first_other_, offset);
}

void TraceMerger::report_others() {
  constexpr size_t kListed = 8;
  for (const auto& [category, count] : other_categories_) {
    count_other("category " + std::string(out_.dictionary().at(category)), count, first_other_);
  }
  std::vector<std::pair<uint64_t, std::string>> kinds;
  uint64_t total = 0;
  for (const auto& [what, count] : others_) {
    kinds.emplace_back(count, what);
    total += count;
  }
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string detail;
  for (size_t i = 0; i < std::min(kinds.size(), kListed); ++i) {
    detail += (i == 0 ? "They were: " : ", ") + std::to_string(kinds[i].first) + " of " + kinds[i].second;
  }
  if (kinds.size() > kListed) detail += ", and more";
  if (total != 0) {
    diagnostics_.count(Diag::event_other_phase, file_, static_cast<int64_t>(first_other_), total, detail + ".");
  }
}

}  // namespace stepwise::ingest
