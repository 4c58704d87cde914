#include "rank_figures.h"

#include <algorithm>
#include <string_view>

#include "device_work.h"

namespace stepwise::cluster {
namespace {

namespace cluster_step = table::cluster_step;
namespace comm_op = table::comm_op;
namespace cluster_comm_op = table::cluster_comm_op;
using sdk::Call;

// One step's decomposition out of a table that has these columns. nullopt: the row only times the step.
template <class Columns>
std::optional<StepFigures> decomposition(const Columns& column, uint64_t row) {
  const auto computing = column.computing_ns.get(row), exposed = column.not_overlapped_ns.get(row);
  const auto free = column.free_ns.get(row), stage = column.stage_ns.get(row);
  if (!computing || !exposed || !free || !stage) return std::nullopt;
  StepFigures out;
  out.computing_ns = *computing;
  out.not_overlapped_ns = *exposed;
  out.communication_ns = *exposed + column.overlapped_ns[row];
  out.free_ns = *free;
  out.wall_ns = *stage + column.bubble_ns[row];
  return out;
}

using Numbers = sdk::Column<table::Type::i64>;
struct DecompositionColumns {
  Numbers computing_ns, not_overlapped_ns, overlapped_ns, free_ns, stage_ns, bubble_ns;
};

bool read_step_file(Call& call, uint32_t rank, Step step, RankFigures& out) {
  namespace own = table::step;
  const auto view = call.table(rank, own::kTable);
  if (!view) return false;
  const DecompositionColumns columns{(*view)[own::computing_ns],  (*view)[own::not_overlapped_ns],
                                     (*view)[own::overlapped_ns], (*view)[own::free_ns],
                                     (*view)[own::stage_ns],      (*view)[own::bubble_ns]};
  call.for_each_row(view->rows(), [&](uint64_t row) {
    const Step n = (*view)[own::step].get(row);
    if (step && n != step) return;
    if (const auto figures = decomposition(columns, row)) out.steps[n].add(*figures);
  });
  out.source = "step_file";
  out.file = view->source_file();
  return !out.steps.empty();
}

bool read_kernels(Call& call, uint32_t rank, Step step, RankFigures& out) {
  for (const auto& [n, work] : work_by_step(call, rank, step)) {
    if (work.empty()) continue;
    const Interval span = work.span();
    StepFigures figures;
    figures.computing_ns = total_ns(work.computing);
    figures.communication_ns = total_ns(work.communication);
    const Intervals exposed = subtract(work.communication, work.computing);
    figures.not_overlapped_ns = total_ns(exposed);
    figures.wall_ns = span.end_ns - span.start_ns;
    figures.copying_ns = total_ns(subtract(subtract(work.copies, work.computing), exposed));
    figures.free_ns = figures.wall_ns - figures.computing_ns - figures.not_overlapped_ns - figures.copying_ns;
    out.steps[n] = figures;
  }
  if (out.steps.empty()) return false;
  out.source = call.args().profile().kind == "kineto" ? "device_rows" : "kernels";
  out.file = call.table(rank, table::kernel::kTable)->source_file();
  return true;
}

void read_cluster_file(Call& call, Step step, std::map<uint32_t, RankFigures>& ranks) {
  with_cluster_table(call, cluster_step::kTable, [&](const sdk::TableView& view) {
    const DecompositionColumns columns{view[cluster_step::computing_ns],  view[cluster_step::not_overlapped_ns],
                                       view[cluster_step::overlapped_ns], view[cluster_step::free_ns],
                                       view[cluster_step::stage_ns],      view[cluster_step::bubble_ns]};
    std::map<uint32_t, RankFigures> found;
    call.for_each_row(view.rows(), [&](uint64_t row) {
      const auto rank = rank_of(view[cluster_step::of_rank].get(row));
      const Step n = view[cluster_step::step].get(row);
      // Rows of a stage hold the largest figure of its ranks: those of no rank.
      if (!rank || view[cluster_step::kind][row] != "rank" || ranks.count(*rank) > 0 || (step && n != step)) return;
      const auto figures = decomposition(columns, row);
      if (!figures) return;
      RankFigures& out = found[*rank];
      out.rank = *rank;
      out.source = "cluster_file";
      out.file = view.source_file();
      out.steps[n].add(*figures);
    });
    ranks.merge(found);
  });
}

bool ends_with_kernels(const RankFigures& one) { return std::string_view(one.source) == "kernels"; }

// False: the ranks' steps do not end alike, and their files leave no way to make them.
bool take_alike(Call& call, Step step, std::map<uint32_t, RankFigures>& ranks) {
  const auto by_kernels =
      std::count_if(ranks.begin(), ranks.end(), [](const auto& entry) { return ends_with_kernels(entry.second); });
  if (by_kernels == 0 || static_cast<size_t>(by_kernels) == ranks.size()) return true;
  std::map<uint32_t, RankFigures> alike = ranks;
  for (auto& [rank, one] : alike) {
    if (ends_with_kernels(one)) continue;
    one = RankFigures{};
    one.rank = rank;
    const bool has_file = std::string_view(ranks.at(rank).source) == "step_file";
    if (!has_file || !read_kernels(call, rank, step, one)) return false;
  }
  ranks = std::move(alike);
  return true;
}

// Steps that every rank has, and the sums over them.
void sum_up(Figures& figures) {
  bool first = true;
  for (const RankFigures& one : figures.ranks) {
    std::set<Step> both;
    for (const auto& [n, unused] : one.steps) {
      if (first || figures.steps.count(n) > 0) both.insert(n);
    }
    figures.steps = std::move(both);
    first = false;
    if (figures.steps.empty()) break;
  }
  for (RankFigures& one : figures.ranks) {
    for (const auto& [n, step] : one.steps) {
      if (!figures.steps.empty() && figures.steps.count(n) == 0) continue;
      one.sum.add(step);
      ++one.count;
    }
  }
}

void add_waits(Call& call, Figures& figures) {
  std::map<uint32_t, RankFigures*> without;
  const auto add = [](RankFigures& to, std::string_view kind, int64_t transit_ns, int64_t wait_ns, int64_t idle_ns) {
    if (!to.waits) to.waits.emplace();
    to.waits->transit_ns += transit_ns;
    to.waits->wait_ns += wait_ns;
    to.waits->idle_ns += idle_ns;
    if (kind == "collective") to.waits->collective_wait_ns += wait_ns;
  };
  for (RankFigures& one : figures.ranks) {
    const auto view = call.table(one.rank, comm_op::kTable);
    if (!view) {
      without[one.rank] = &one;
      continue;
    }
    call.for_each_row(view->rows(), [&](uint64_t row) {
      if (!figures.covers((*view)[comm_op::step].get(row))) return;
      add(one, (*view)[comm_op::kind][row], (*view)[comm_op::transit_ns][row], (*view)[comm_op::wait_ns][row],
          (*view)[comm_op::idle_ns][row]);
    });
  }
  if (without.empty()) return;
  with_cluster_table(call, cluster_comm_op::kTable, [&](const sdk::TableView& view) {
    call.for_each_row(view.rows(), [&](uint64_t row) {
      const auto rank = rank_of(view[cluster_comm_op::of_rank].get(row));
      const auto it = rank ? without.find(*rank) : without.end();
      if (it == without.end() || !figures.covers(view[cluster_comm_op::step].get(row))) return;
      add(*it->second, view[cluster_comm_op::kind][row], view[cluster_comm_op::transit_ns][row],
          view[cluster_comm_op::wait_ns][row], view[cluster_comm_op::idle_ns][row]);
    });
  });
}

}  // namespace

void StepFigures::add(const StepFigures& other) {
  computing_ns += other.computing_ns;
  communication_ns += other.communication_ns;
  not_overlapped_ns += other.not_overlapped_ns;
  free_ns += other.free_ns;
  wall_ns += other.wall_ns;
  copying_ns += other.copying_ns;
}

const RankFigures* Figures::find(uint32_t rank) const {
  const auto it = std::lower_bound(ranks.begin(), ranks.end(), rank,
                                   [](const RankFigures& one, uint32_t wanted) { return one.rank < wanted; });
  return it != ranks.end() && it->rank == rank ? &*it : nullptr;
}

std::optional<double> Figures::wall_us() const {
  if (ranks.empty()) return std::nullopt;
  double sum_us = 0;
  for (const RankFigures& one : ranks) sum_us += one.us(one.sum.wall_ns);
  return sum_us / static_cast<double>(ranks.size());
}

std::string Figures::window_text() const {
  constexpr size_t kNamed = 8;
  if (steps.empty()) return "mean over each rank's own steps: they have none in common";
  std::string names;
  size_t told = 0;
  for (const Step& step : steps) {
    if (!step) return "the whole run";
    if (++told <= kNamed) names += (told == 1 ? "" : ", ") + std::to_string(*step);
  }
  if (told > kNamed) names += ", ...";
  // What the device does not do behind a step's last kernel is in no figure then.
  const bool by_kernels = !ranks.empty() && std::all_of(ranks.begin(), ranks.end(), ends_with_kernels);
  const char* const extent = by_kernels ? ", from the first kernel's start to the last kernel's end" : "";
  if (told == 1) return "step " + names + extent;
  return "mean of the " + std::to_string(told) + " steps that all ranks have: " + names + extent;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<uint32_t> rank_of(std::optional<int64_t> number) {
  if (!number || *number < 0 || *number > UINT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

std::optional<Figures> read_figures(Call& call, Step step) {
  std::map<uint32_t, RankFigures> found;
  for (const uint32_t rank : call.args().ranks()) {
    RankFigures one;
    one.rank = rank;
    if (read_step_file(call, rank, step, one) || read_kernels(call, rank, step, one)) found[rank] = std::move(one);
  }
  read_cluster_file(call, step, found);
  if (step && found.empty() && !call.cancelled()) {
    call.fail(sdk::Fault::not_found, "step.unknown", "No rank has device work of a step " + std::to_string(*step) + ".",
              "Leave `step` out: the figures are then of the steps that all ranks have, or of the whole run.");
    return std::nullopt;
  }
  Figures figures;
  figures.same_ends = take_alike(call, step, found);
  for (const uint32_t rank : call.args().ranks()) {
    if (found.count(rank) == 0) figures.without.push_back(rank);
  }
  for (auto& [rank, one] : found) figures.ranks.push_back(std::move(one));
  sum_up(figures);
  add_waits(call, figures);
  return figures;
}

}  // namespace stepwise::cluster
