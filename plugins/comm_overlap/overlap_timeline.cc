#include <algorithm>

#include "overlap.h"
#include "step_ranges.h"

namespace stepwise::comm_overlap {
namespace {

namespace overlap_span = table::overlap_span;
namespace device_task = table::device_task;
namespace kernel = table::kernel;
using sdk::Call;

struct Spans {
  Work work;
  std::optional<Interval> whole;  // of every kind: what was free counts, too
};

Spans read_spans(const Call& call, const sdk::TableView& view) {
  const auto kind = view[overlap_span::kind];
  const auto start_ns = view[overlap_span::start_ns], dur_ns = view[overlap_span::dur_ns];
  Spans spans;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const Interval one{start_ns[row], start_ns[row] + dur_ns[row]};
    if (!spans.whole) spans.whole = one;
    spans.whole->start_ns = std::min(spans.whole->start_ns, one.start_ns);
    spans.whole->end_ns = std::max(spans.whole->end_ns, one.end_ns);
    if (kind[row] == "Computing") spans.work.computing.push_back(one);
    if (kind[row] == "Communication") spans.work.communication.push_back(one);
  });
  return spans;
}

// Operations that receive from another pipeline stage.
Intervals received_of_timeline(Call& call, uint32_t rank) {
  Intervals received;
  const auto tasks = call.table(rank, device_task::kTable);
  if (!tasks) return received;
  const auto name = (*tasks)[device_task::name], lane = (*tasks)[device_task::lane];
  const auto start_ns = (*tasks)[device_task::start_ns], dur_ns = (*tasks)[device_task::dur_ns];
  call.for_each_row(tasks->rows(), [&](uint64_t row) {
    if (lane[row] != "communication" || !receives(name[row])) return;
    received.push_back({start_ns[row], start_ns[row] + dur_ns[row]});
  });
  return received;
}

struct KernelWork {
  Work work;
  Intervals received;
};

KernelWork read_kernels(const Call& call, const sdk::TableView& view) {
  const auto name = view[kernel::name], class_ = view[kernel::class_];
  const auto start_ns = view[kernel::start_ns], dur_ns = view[kernel::dur_ns];
  KernelWork out;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const Interval one{start_ns[row], start_ns[row] + dur_ns[row]};
    if (class_[row] == "copy") return;  // free time, as in the overlap analysis
    const bool communicates = class_[row] == "communication";
    (communicates ? out.work.communication : out.work.computing).push_back(one);
    if (communicates && receives(name[row])) out.received.push_back(one);
  });
  return out;
}

// Each piece of the rank's time in the step that holds its start; `received` in order of their starts.
void split_by_steps(const Partition& parts, const std::vector<StepRange>& ranges, const Intervals& received,
                    Overlap& out) {
  std::vector<Interval> reach(ranges.size());
  for (const StepRange& one : ranges) {
    Breakdown window;
    window.step = one.step;
    out.windows.push_back(window);
  }
  const auto add = [&](const Intervals& pieces, int64_t Breakdown::*part) {
    assign(pieces, ranges, [&](size_t at, const Interval& piece) {
      out.windows[at].*part += piece.end_ns - piece.start_ns;
      if (part == &Breakdown::overlapped_ns) return;  // within computing
      if (reach[at] == Interval{}) reach[at] = piece;
      reach[at].start_ns = std::min(reach[at].start_ns, piece.start_ns);
      reach[at].end_ns = std::max(reach[at].end_ns, piece.end_ns);
    });
  };
  add(parts.computing, &Breakdown::computing_ns);
  add(parts.overlapped, &Breakdown::overlapped_ns);
  add(parts.exposed_communication, &Breakdown::not_overlapped_ns);
  add(parts.idle, &Breakdown::free_ns);
  for (size_t at = 0; at < ranges.size(); ++at) out.windows[at].wall_ns = total_ns({reach[at]});
  assign(parts.exposed_communication, ranges, [&](size_t at, const Interval& piece) {
    out.uncovered.push_back({piece, ranges[at].step});
  });
  assign(received, ranges,
         [&](size_t at, const Interval& one) { out.windows[at].bubble_ns += one.end_ns - one.start_ns; });
  std::erase_if(out.windows, [](const Breakdown& window) { return window.wall_ns == 0; });
  std::stable_sort(out.windows.begin(), out.windows.end(),
                   [](const Breakdown& a, const Breakdown& b) { return a.step < b.step; });
}

// Where there are no kernels to say what is of which step, a run of one step is that step.
std::optional<int64_t> only_step(Call& call, uint32_t rank) {
  const auto kernels = call.table(rank, kernel::kTable), host = call.table(rank, table::step_range::kTable);
  if (kernels && kernels->rows() > 0) return std::nullopt;
  return host && host->rows() == 1 ? (*host)[table::step_range::step].get(0) : std::nullopt;
}

}  // namespace

std::optional<Overlap> overlap_of_timeline(Call& call, uint32_t rank) {
  const auto view = call.table(rank, overlap_span::kTable);
  if (!view) return std::nullopt;
  Spans spans = read_spans(call, *view);
  if (!extent(spans.work)) return std::nullopt;
  const Partition parts = partition(std::move(spans.work), *spans.whole);
  const std::vector<StepRange> ranges = device_ranges(call, rank).list;
  const Intervals received = received_of_timeline(call, rank);

  Overlap out;
  out.source = "timeline";
  out.file = view->source_file();
  out.knows_bubble = true;
  if (ranges.empty()) {
    out.extent = "from its first device work to its last, by the timeline's overlap analysis";
    Breakdown& window = out.windows.emplace_back(sum_of(parts));
    for (const Interval& one : received) window.bubble_ns += one.end_ns - one.start_ns;
    window.step = only_step(call, rank);
    for (const Interval& piece : parts.exposed_communication) out.uncovered.push_back({piece, window.step});
    return out;
  }
  out.extent = "from its first device work to the end of what starts in it, by the timeline's overlap analysis";
  split_by_steps(parts, ranges, received, out);
  if (out.windows.empty()) return std::nullopt;  // the steps' kernels lie nowhere in the overlap analysis
  return out;
}

std::optional<Overlap> overlap_of_host_steps(Call& call, uint32_t rank) {
  const auto view = call.table(rank, kernel::kTable);
  if (!view) return std::nullopt;
  const StepRanges ranges = device_ranges(call, rank);
  if (!ranges.know_host) return std::nullopt;
  KernelWork all = read_kernels(call, *view);
  const auto span = extent(all.work);
  if (!span) return std::nullopt;

  Overlap out;
  out.source = "kernels";
  out.file = view->source_file();
  out.extent = "from its first device work to the end of what starts in it, by its kernels and the host's steps";
  out.knows_bubble = true;
  split_by_steps(partition(std::move(all.work), *span), ranges.list, all.received, out);
  if (out.windows.empty()) return std::nullopt;
  return out;
}

}  // namespace stepwise::comm_overlap
