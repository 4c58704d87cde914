#include <algorithm>
#include <map>

#include "overlap.h"

namespace stepwise::comm_overlap {
namespace {

namespace overlap_span = table::overlap_span;
namespace kernel = table::kernel;
namespace step_range = table::step_range;
namespace device_task = table::device_task;
using sdk::Call;

struct StepRange {
  int64_t step;
  Interval range;
};

// From a step's first device work to the later of its last one's end and the host step's end. Where two reach into each
// other the first keeps what they share, so that the result is disjoint.
std::vector<StepRange> device_ranges(Call& call, uint32_t rank) {
  std::map<int64_t, Interval> by_step;
  if (const auto kernels = call.table(rank, kernel::kTable)) {
    const auto step = (*kernels)[kernel::step];
    const auto start_ns = (*kernels)[kernel::start_ns], dur_ns = (*kernels)[kernel::dur_ns];
    call.for_each_row(kernels->rows(), [&](uint64_t row) {
      const auto n = step.get(row);
      if (!n) return;
      const Interval one{start_ns[row], start_ns[row] + dur_ns[row]};
      const auto [it, added] = by_step.try_emplace(*n, one);
      if (added) return;
      it->second.start_ns = std::min(it->second.start_ns, one.start_ns);
      it->second.end_ns = std::max(it->second.end_ns, one.end_ns);
    });
  }
  if (const auto host = call.table(rank, step_range::kTable)) {
    call.for_each_row(host->rows(), [&](uint64_t row) {
      const auto it = by_step.find((*host)[step_range::step][row]);
      if (it == by_step.end()) return;
      const int64_t end_ns = (*host)[step_range::start_ns][row] + (*host)[step_range::dur_ns][row];
      it->second.end_ns = std::max(it->second.end_ns, end_ns);
    });
  }
  std::vector<StepRange> ranges;
  for (const auto& [step, range] : by_step) ranges.push_back({step, range});
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const StepRange& a, const StepRange& b) { return a.range.start_ns < b.range.start_ns; });
  for (size_t i = 1; i < ranges.size(); ++i) {
    ranges[i].range.start_ns = std::max(ranges[i].range.start_ns, ranges[i - 1].range.end_ns);
    ranges[i].range.end_ns = std::max(ranges[i].range.end_ns, ranges[i].range.start_ns);
  }
  return ranges;
}

// Visits pieces with the index of the range that holds their start; both come in order.
template <class Visit>
void assign(const Intervals& pieces, const std::vector<StepRange>& ranges, Visit visit) {
  size_t at = 0;
  for (const Interval& piece : pieces) {
    while (at < ranges.size() && ranges[at].range.end_ns <= piece.start_ns) ++at;
    if (at == ranges.size()) return;
    if (piece.start_ns >= ranges[at].range.start_ns) visit(at, piece);
  }
}

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

// Time of operations that receive from another pipeline stage, by the window in which they start.
void add_bubbles(Call& call, uint32_t rank, const std::vector<StepRange>& ranges, std::vector<Breakdown>& windows) {
  const auto tasks = call.table(rank, device_task::kTable);
  if (!tasks) return;
  const auto name = (*tasks)[device_task::name], lane = (*tasks)[device_task::lane];
  const auto start_ns = (*tasks)[device_task::start_ns], dur_ns = (*tasks)[device_task::dur_ns];
  Intervals received;
  call.for_each_row(tasks->rows(), [&](uint64_t row) {
    if (lane[row] != "communication" || !receives(name[row])) return;
    received.push_back({start_ns[row], start_ns[row] + dur_ns[row]});
  });
  const auto add = [&windows](size_t window, const Interval& one) {
    windows[window].bubble_ns += one.end_ns - one.start_ns;
  };
  if (ranges.empty()) {
    for (const Interval& one : received) add(0, one);
  } else {
    assign(received, ranges, add);
  }
}

}  // namespace

std::optional<Overlap> overlap_of_timeline(Call& call, uint32_t rank) {
  const auto view = call.table(rank, overlap_span::kTable);
  if (!view) return std::nullopt;
  Spans spans = read_spans(call, *view);
  if (!extent(spans.work)) return std::nullopt;
  const Partition parts = partition(std::move(spans.work), *spans.whole);
  const std::vector<StepRange> ranges = device_ranges(call, rank);

  Overlap out;
  out.source = "timeline";
  out.file = view->source_file();
  out.knows_bubble = true;
  if (ranges.empty()) {
    out.extent = "from its first device work to its last, by the timeline's overlap analysis";
    out.windows.push_back(sum_of(parts));
    for (const Interval& piece : parts.exposed_communication) out.uncovered.push_back({piece, std::nullopt});
    add_bubbles(call, rank, ranges, out.windows);
    return out;
  }
  out.extent = "from its first device work to the end of what starts in it, by the timeline's overlap analysis";
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
  add_bubbles(call, rank, ranges, out.windows);
  std::erase_if(out.windows, [](const Breakdown& window) { return window.wall_ns == 0; });
  if (out.windows.empty()) return std::nullopt;  // the steps' kernels lie nowhere in the overlap analysis
  std::stable_sort(out.windows.begin(), out.windows.end(),
                   [](const Breakdown& a, const Breakdown& b) { return a.step < b.step; });
  return out;
}

}  // namespace stepwise::comm_overlap
