// What each rank of the cluster did in the steps that all of them have.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::cluster {

using Step = std::optional<int64_t>;  // the profiler's number; null: the run as a whole

struct StepFigures {
  int64_t computing_ns = 0, communication_ns = 0, not_overlapped_ns = 0, free_ns = 0, wall_ns = 0;
  int64_t copying_ns = 0;  // beside neither; a step file does not tell it from free time

  void add(const StepFigures& other);
};

/// Of communication operations, as the profiler split their time.
struct Waits {
  int64_t transit_ns = 0, wait_ns = 0, idle_ns = 0;
  int64_t collective_wait_ns = 0;  // of wait_ns; between pipeline stages ranks wait for each other by design
};

struct RankFigures {
  uint32_t rank = 0;
  const char* source = "";  // step_file, kernels, device_rows, cluster_file
  std::string file;
  std::map<Step, StepFigures> steps;
  StepFigures sum;             // over the figures' steps
  size_t count = 0;            // of steps in the sum
  std::optional<Waits> waits;  // over the same steps; null: no file splits it

  /// A sum in us a step.
  double us(int64_t sum_ns) const { return static_cast<double>(sum_ns) / (1000.0 * static_cast<double>(count)); }
};

struct Figures {
  std::vector<RankFigures> ranks;  // ascending; those with any figures
  std::vector<uint32_t> without;   // ascending; ranks of the profile that have none
  std::set<Step> steps;            // that every one of them has; empty: they have none in common, each counts its own
  bool same_ends = true;           // false: some ranks' steps end with the host's, others' with their last kernel

  bool covers(Step step) const { return steps.empty() || steps.count(std::nullopt) > 0 || steps.count(step) > 0; }
  const RankFigures* find(uint32_t rank) const;
  /// Mean over ranks and steps. nullopt: no figures.
  std::optional<double> wall_us() const;
  std::string window_text() const;
};

/// Own files first (step decomposition, else kernels); cluster files for ranks without. Where some ranks have kernels
/// only, all are taken by them if that can be: a step that ends with the host's has more free time than one that ends
/// with its last kernel. `step`: that one only.
/// nullopt: the call failed, since no rank has that step; the host has been told.
std::optional<Figures> read_figures(sdk::Call& call, Step step);

/// visit(view) for the one rank whose segment has that table of the whole cluster.
template <class Visit>
void with_cluster_table(sdk::Call& call, const table::TableDecl& decl, Visit visit) {
  for (const uint32_t rank : call.args().ranks()) {
    if (const auto view = call.table(rank, decl); view && view->rows() > 0) {
      visit(*view);
      return;
    }
  }
}

/// Of the warning where the figures' steps do not end alike.
inline constexpr const char* kEndsDifferText =
    "Some ranks' steps end where the host's do, as the profiler decomposed them, others' with their last kernel: their "
    "free and wall times do not compare.";

/// Of at least one value.
double median(std::vector<double> values);

/// A rank as a number that fits. nullopt: a file's nonsense.
std::optional<uint32_t> rank_of(std::optional<int64_t> number);

}  // namespace stepwise::cluster
