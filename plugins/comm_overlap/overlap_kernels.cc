#include <algorithm>
#include <map>

#include "overlap.h"

namespace stepwise::comm_overlap {
namespace {

namespace kernel = table::kernel;
using sdk::Call;

struct StepWork {
  Work work;
  int64_t bubble_ns = 0;
};

void add_window(std::optional<int64_t> step, StepWork work, Overlap& out) {
  const auto span = extent(work.work);
  if (!span) return;
  const Partition parts = partition(std::move(work.work), *span);
  Breakdown window = sum_of(parts);
  window.step = step;
  window.bubble_ns = work.bubble_ns;
  out.windows.push_back(window);
  for (const Interval& piece : parts.exposed_communication) out.uncovered.push_back({piece, step});
}

void sort_uncovered(Overlap& out) {
  std::stable_sort(out.uncovered.begin(), out.uncovered.end(),
                   [](const Uncovered& a, const Uncovered& b) { return a.when.start_ns < b.when.start_ns; });
}

// The step of a piece: that of the first communication row that runs in it.
void find_steps(const Call& call, const sdk::TableView& view, std::vector<Uncovered>& uncovered) {
  const auto class_ = view[kernel::class_];
  const auto step = view[kernel::step];
  const auto start_ns = view[kernel::start_ns], dur_ns = view[kernel::dur_ns];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (class_[row] != "communication" || step.is_null(row)) return;
    const int64_t from = start_ns[row], to = from + dur_ns[row];
    auto it = std::partition_point(uncovered.begin(), uncovered.end(),
                                   [from](const Uncovered& one) { return one.when.end_ns <= from; });
    for (; it != uncovered.end() && it->when.start_ns < to; ++it) {
      if (!it->step) it->step = step.get(row);
    }
  });
}

}  // namespace

bool receives(std::string_view name) { return name.rfind("hcom_receive", 0) == 0; }

std::optional<Overlap> overlap_of_kernels(Call& call, uint32_t rank) {
  const auto view = call.table(rank, kernel::kTable);
  if (!view) return std::nullopt;
  const auto step = (*view)[kernel::step];
  const auto class_ = (*view)[kernel::class_];
  const auto name = (*view)[kernel::name];
  const auto start_ns = (*view)[kernel::start_ns], dur_ns = (*view)[kernel::dur_ns];
  std::map<int64_t, StepWork> numbered;
  StepWork unnumbered;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    if (class_[row] == "copy") return;  // free time, as in the profiler's own sums
    const auto n = step.get(row);
    StepWork& into = n ? numbered[*n] : unnumbered;
    const Interval one{start_ns[row], start_ns[row] + dur_ns[row]};
    if (class_[row] == "communication") {
      into.work.communication.push_back(one);
      if (receives(name[row])) into.bubble_ns += dur_ns[row];
    } else {
      into.work.computing.push_back(one);
    }
  });
  Overlap out;
  out.source = "kernels";
  out.file = view->source_file();
  out.extent = "from its first kernel's start to its last kernel's end";
  out.knows_bubble = true;
  for (auto& [n, work] : numbered) add_window(n, std::move(work), out);
  if (numbered.empty()) add_window(std::nullopt, std::move(unnumbered), out);
  if (out.windows.empty()) return std::nullopt;
  sort_uncovered(out);
  return out;
}

std::optional<Overlap> overlap_of_device_rows(Call& call, uint32_t rank, std::optional<int64_t> step) {
  const auto view = call.table(rank, kernel::kTable);
  if (!view) return std::nullopt;
  const auto step_of = (*view)[kernel::step];
  const auto class_ = (*view)[kernel::class_];
  const auto start_ns = (*view)[kernel::start_ns], dur_ns = (*view)[kernel::dur_ns];
  StepWork all;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    if (step && step_of.get(row) != step) return;
    const Interval one{start_ns[row], start_ns[row] + dur_ns[row]};
    Intervals& kind = class_[row] == "communication" ? all.work.communication
                      : class_[row] == "copy"        ? all.work.copies
                                                     : all.work.computing;
    kind.push_back(one);
  });
  Overlap out;
  out.source = "device_rows";
  out.file = view->source_file();
  out.extent = "from the first start to the last end of its device rows";
  out.knows_copies = true;
  add_window(step, std::move(all), out);
  if (out.windows.empty()) return std::nullopt;
  if (!step) find_steps(call, *view, out.uncovered);
  return out;
}

std::optional<Overlap> overlap_of_step_file(Call& call, uint32_t rank) {
  namespace step = table::step;
  const auto view = call.table(rank, step::kTable);
  if (!view) return std::nullopt;
  Overlap out;
  out.source = "step_file";
  out.file = view->source_file();
  out.extent = "from its first device work to its end, as the profiler decomposed it";
  out.knows_bubble = true;
  out.of_step_file = true;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    const auto computing = (*view)[step::computing_ns].get(row), exposed = (*view)[step::not_overlapped_ns].get(row);
    const auto free = (*view)[step::free_ns].get(row), stage = (*view)[step::stage_ns].get(row);
    if (!computing || !exposed || !free || !stage) return;
    Breakdown window;
    window.step = (*view)[step::step].get(row);
    window.computing_ns = *computing;
    window.not_overlapped_ns = *exposed;
    window.overlapped_ns = (*view)[step::overlapped_ns][row];
    window.free_ns = *free;
    window.bubble_ns = (*view)[step::bubble_ns][row];
    window.wall_ns = *stage + window.bubble_ns;
    out.windows.push_back(window);
  });
  if (out.windows.empty()) return std::nullopt;
  return out;
}

}  // namespace stepwise::comm_overlap
