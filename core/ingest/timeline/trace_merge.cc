#include "core/ingest/timeline/trace_merge.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/ingest/exports/clock_jump.h"
#include "core/ingest/timeline/trace_innermost.h"
#include "stepwise/tables.hpp"

namespace stepwise::ingest {

TraceMerger::TraceMerger(store::SegmentBuilder& out, Diagnostics& diagnostics, std::string file)
    : out_(out),
      diagnostics_(diagnostics),
      file_(std::move(file)),
      tracks_(out.dictionary()),
      host_op_(table::host_op::kTable),
      python_call_(table::python_call::kTable),
      runtime_api_(table::runtime_api::kTable) {
  give_back_large_buffers();
}

void TraceMerger::merge(WindowEvents& window) {
  take_texts(window);
  take_tracks(window);
  for (const NameRecord& name : window.names) tracks_.set_name(name.what, track_of_[name.track], code(name.text));
  take_slices(window);
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
  diagnostics_.count(Diag::event_begin_end, file_, static_cast<int64_t>(window.others.first_begin_end),
                     window.others.begin_end);
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

void TraceMerger::number(SliceRecord& slice) {
  slice.track = track_of_[slice.track];
  slice.name = code(slice.name);
  slice.category = code(slice.category);
  slice.shapes = code(slice.shapes);
  slice.stack = code(slice.stack);
  slice.task_type = code(slice.task_type);
  tracks_.count_events(slice.track, 1);
}

int64_t TraceMerger::fitting_base(int64_t base_ns, const std::vector<const SliceTable*>& tables) {
  int64_t latest = counter_.latest_ns();
  for (const SliceTable* const table : tables) latest = std::max(latest, table->latest_start_ns());
  if (base_ns == 0 || latest <= kMaxTraceNs - base_ns) return base_ns;
  diagnostics_.count(Diag::json_shape, file_, std::nullopt, 1,
                     "The events' times count from baseTimeNanoseconds beyond any time; it was not added.");
  return 0;
}

PythonOf TraceMerger::link_python(const SliceColumns& calls) {
  namespace column = table::python_link;
  PythonOf python;
  if (python_call_.empty()) return python;
  const auto innermost = [this](const SliceColumns& slices) {
    return innermost_running(slices, python_call_.slices(), tracks_.keys().size(), AtOneStart::longer_holds);
  };
  python = {innermost(host_op_.slices()), innermost(calls)};
  for (size_t row = 0; row < python.host_op.size(); ++row) {
    if (python.host_op[row] == Nesting::kNone) continue;
    store::TableBuilder& rows = out_.table(column::kTable);
    rows.append(column::host_op_id, static_cast<int64_t>(row));
    rows.append(column::python_call_id, int64_t{python.host_op[row]});
    rows.end_row();
  }
  return python;
}

void TraceMerger::run(const Tasks& tasks, unsigned threads) {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t task = next++; task < tasks.size(); task = next++) tasks[task]();
  };
  std::vector<std::thread> others;
  try {
    for (unsigned i = 1; i < std::min<size_t>(threads, tasks.size()); ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // No more threads to be had: those that there are do the work.
  }
  work();
  for (std::thread& other : others) other.join();
}

void TraceMerger::report(const std::vector<const SliceTable*>& nested, const std::vector<const SliceTable*>& others) {
  tracks_.finish(out_);
  report_rows(Diag::event_overlapping, nested, &SliceTable::overlapping, &SliceTable::first_overlapping_at);
  std::vector<const SliceTable*> all = nested;
  all.insert(all.end(), others.begin(), others.end());
  report_rows(Diag::event_duplicate, all, &SliceTable::duplicates, &SliceTable::first_duplicate_at);
  ClockJumps jumps;
  for (const SliceTable* const table : all) {
    const SliceColumns slices = table->slices();
    jumps.add(slices.start_ns, slices.src_pos);
  }
  jumps.report(true, file_, diagnostics_);
  steps_.report(tracks_.keys(), file_, diagnostics_);
  report_others();
  for (const table::TableDecl* decl :
       {&table::host_op::kTable, &table::python_call::kTable, &table::runtime_api::kTable, &table::queue::kTable,
        &table::device_task::kTable, &table::overlap_span::kTable, &table::counter::kTable, &table::step_range::kTable,
        &table::flow::kTable, &table::track::kTable, &table::kernel::kTable, &table::kernel_link::kTable,
        &table::python_link::kTable, &table::step::kTable}) {
    if (out_.has(*decl)) out_.set_source_file(*decl, file_);
  }
}

void TraceMerger::report_rows(Diag diag, const std::vector<const SliceTable*>& tables,
                              uint64_t (SliceTable::*count)() const, int64_t (SliceTable::*first)() const) {
  uint64_t rows = 0;
  std::optional<int64_t> first_at;
  for (const SliceTable* const table : tables) {
    if ((table->*count)() == 0) continue;
    rows += (table->*count)();
    first_at = std::min(first_at.value_or(INT64_MAX), (table->*first)());
  }
  diagnostics_.count(diag, file_, first_at, rows);
}

void TraceMerger::count_other(std::string what, uint64_t count, uint64_t offset) {
  // Any number of names may come; those beyond the first ones are counted together.
  constexpr size_t kMaxKinds = 100;
  if (others_.size() >= kMaxKinds && others_.find(what) == others_.end()) what = "other kinds";
  others_[std::move(what)] += count;
  first_other_ = std::min(first_other_, offset);
}

void TraceMerger::count_other_category(int32_t category, uint64_t offset) {
  ++other_categories_[category];
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
