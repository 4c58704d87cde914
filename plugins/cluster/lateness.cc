#include "lateness.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "device_work.h"

namespace stepwise::cluster {
namespace {

using sdk::Call;

constexpr size_t kOperatorsTold = 3;
constexpr std::array<Cause, 4> kCauses = {Cause::computing, Cause::copying, Cause::idle, Cause::began_later};

using Peers = std::vector<const RankFigures*>;  // that can be compared with each other, by rank

/// By the rank that their clocks refer to, and by pipeline stage.
std::map<std::pair<uint32_t, std::optional<int64_t>>, Peers> comparable(const Figures& figures, const Matches& matches,
                                                                        const ParallelGroups& groups) {
  std::map<std::pair<uint32_t, std::optional<int64_t>>, Peers> out;
  for (const RankFigures& one : figures.ranks) {
    const auto it = matches.clocks.reference.find(one.rank);
    if (it != matches.clocks.reference.end()) out[{it->second, groups.place(one.rank).pipeline}].push_back(&one);
  }
  std::erase_if(out, [](const auto& peers) { return peers.second.size() < 2; });
  return out;
}

/// What a rank's value is more than the mean of the others', all of whose values together are `sum_ns`.
double more_than_others(int64_t own_ns, double sum_ns, size_t ranks) {
  const auto own = static_cast<double>(own_ns);
  return own - (sum_ns - own) / static_cast<double>(ranks - 1);
}

struct Sums {
  double computing_ns = 0, copying_ns = 0, not_overlapped_ns = 0, free_ns = 0;
  std::optional<double> collective_wait_ns = 0;  // null: not known of all
};

Sums sums_of(const Peers& peers) {
  Sums out;
  for (const RankFigures* one : peers) {
    out.computing_ns += static_cast<double>(one->sum.computing_ns);
    out.copying_ns += static_cast<double>(one->sum.copying_ns);
    out.not_overlapped_ns += static_cast<double>(one->sum.not_overlapped_ns);
    out.free_ns += static_cast<double>(one->sum.free_ns);
    if (!one->waits) out.collective_wait_ns.reset();
    if (out.collective_wait_ns) *out.collective_wait_ns += static_cast<double>(one->waits->collective_wait_ns);
  }
  return out;
}

Lateness compare(const RankFigures& own, const Sums& sums, size_t ranks) {
  Lateness out;
  out.rank = own.rank;
  out.peers = ranks - 1;
  out.late_ns = -more_than_others(own.sum.not_overlapped_ns, sums.not_overlapped_ns, ranks);
  if (sums.collective_wait_ns) {
    out.waits_less_ns = -more_than_others(own.waits->collective_wait_ns, *sums.collective_wait_ns, ranks);
  }
  out.more.computing_ns = more_than_others(own.sum.computing_ns, sums.computing_ns, ranks);
  out.more.copying_ns = more_than_others(own.sum.copying_ns, sums.copying_ns, ranks);
  out.more.idle_ns = more_than_others(own.sum.free_ns, sums.free_ns, ranks);
  // What a step's parts do not explain is the difference of the steps' lengths.
  out.more.began_later_ns = out.late_ns - out.more.computing_ns - out.more.copying_ns - out.more.idle_ns;
  return out;
}

/// By rank: for each step the collective at which it arrived latest against the others; the mean of that over steps.
std::map<uint32_t, double> later_arrivals(const Matches& matches) {
  std::map<uint32_t, std::map<Step, double>> latest;
  for (const Domain& domain : matches.domains) {
    for (size_t i = 0; i < domain.count(); ++i) {
      std::vector<int64_t> arrival_ns;
      double sum_ns = 0;
      // Instants since the first rank's beginning: sums of Unix times would not fit a double.
      const int64_t zero_ns = domain.collectives[0][i].start_ns;
      for (size_t r = 0; r < domain.ranks.size(); ++r) {
        arrival_ns.push_back(domain.collectives[r][i].start_ns - matches.clocks.offset_ns.at(domain.ranks[r]) -
                             zero_ns);
        sum_ns += static_cast<double>(arrival_ns.back());
      }
      for (size_t r = 0; r < domain.ranks.size(); ++r) {
        const double later_ns = more_than_others(arrival_ns[r], sum_ns, domain.ranks.size());
        const auto [it, first] = latest[domain.ranks[r]].emplace(domain.steps[i], later_ns);
        if (!first) it->second = std::max(it->second, later_ns);
      }
    }
  }
  std::map<uint32_t, double> out;
  for (const auto& [rank, by_step] : latest) {
    for (const auto& [step, later_ns] : by_step) out[rank] += later_ns / static_cast<double>(by_step.size());
  }
  return out;
}

// Communication that nothing hides is longer or shorter by the work of a stage, too: how late ranks of different stages
// are compares by what they wait less than ranks with the same to do, where the files say of all of them.
void rank_latest_first(std::vector<Lateness>& ranks) {
  std::stable_sort(ranks.begin(), ranks.end(), [](const Lateness& a, const Lateness& b) {
    return a.is_late != b.is_late ? a.is_late : a.late_ns > b.late_ns;
  });
  const auto end = std::find_if(ranks.begin(), ranks.end(), [](const Lateness& one) { return !one.is_late; });
  std::set<std::optional<int64_t>> stages;
  for (auto it = ranks.begin(); it != end; ++it) stages.insert(it->pipeline);
  if (stages.size() < 2) return;
  if (!std::all_of(ranks.begin(), end, [](const Lateness& one) { return one.waits_less_ns.has_value(); })) return;
  std::stable_sort(ranks.begin(), end,
                   [](const Lateness& a, const Lateness& b) { return *a.waits_less_ns > *b.waits_less_ns; });
}

void compare_operators(Call& call, const Figures& figures, const Peers& peers, const std::set<uint32_t>& own,
                       Lateness& late) {
  // Ranks that only a cluster's file tells of have no kernels to look at.
  if (!std::all_of(peers.begin(), peers.end(), [&](const RankFigures* one) { return own.count(one->rank) > 0; }))
    return;
  std::map<std::string, double> more;
  for (const RankFigures* one : peers) {
    const auto sums = operator_sums(call, one->rank, figures);
    if (sums.empty()) return;
    const double weight = one->rank == late.rank ? 1.0 : -1.0 / static_cast<double>(peers.size() - 1);
    for (const auto& [name, ns] : sums) more[name] += weight * static_cast<double>(ns);
  }
  for (const auto& [name, ns] : more) {
    if (ns > 0) late.operators.emplace_back(name, ns);
  }
  std::stable_sort(late.operators.begin(), late.operators.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (late.operators.size() > kOperatorsTold) late.operators.resize(kOperatorsTold);
}

}  // namespace

const char* to_string(Cause cause) {
  switch (cause) {
    case Cause::computing:
      return "computing";
    case Cause::copying:
      return "copying";
    case Cause::idle:
      return "idle";
    case Cause::began_later:
      break;
  }
  return "began_later";
}

double More::of(Cause cause) const {
  switch (cause) {
    case Cause::computing:
      return computing_ns;
    case Cause::copying:
      return copying_ns;
    case Cause::idle:
      return idle_ns;
    case Cause::began_later:
      break;
  }
  return began_later_ns;
}

Cause More::largest() const {
  return *std::max_element(kCauses.begin(), kCauses.end(), [this](Cause a, Cause b) { return of(a) < of(b); });
}

std::vector<Lateness> find_lateness(Call& call, const Figures& figures, const Matches& matches,
                                    const ParallelGroups& groups) {
  double wall_ns = 0;  // of the window, the mean of the ranks
  for (const RankFigures& one : figures.ranks) {
    wall_ns += static_cast<double>(one.sum.wall_ns) / static_cast<double>(figures.ranks.size());
  }
  const auto ranks = call.args().ranks();
  const std::set<uint32_t> own(ranks.begin(), ranks.end());
  const std::map<uint32_t, double> later = later_arrivals(matches);
  std::vector<Lateness> out;
  std::map<uint32_t, const Peers*> peers_of;
  const auto comparisons = comparable(figures, matches, groups);
  for (const auto& [key, peers] : comparisons) {
    const Sums sums = sums_of(peers);
    for (const RankFigures* one : peers) peers_of[one->rank] = &peers;
    std::vector<Lateness> found;
    for (const RankFigures* one : peers) {
      Lateness late = compare(*one, sums, peers.size());
      late.pipeline = key.second;
      if (const auto it = later.find(one->rank); it != later.end()) late.arrived_later_ns = it->second;
      if (wall_ns > 0) late.ratio = late.late_ns / wall_ns;
      late.is_late = late.late_ns >= kLateNs && late.ratio && *late.ratio >= kLateRatio;
      found.push_back(std::move(late));
    }
    for (Lateness& one : found) {
      if (one.is_late && one.more.largest() == Cause::computing) compare_operators(call, figures, peers, own, one);
    }
    out.insert(out.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  rank_latest_first(out);
  // The latest of them says so for all: lists of every rank's peers would grow with the square of the ranks.
  std::set<const Peers*> told;
  for (Lateness& one : out) {
    const Peers* peers = peers_of.at(one.rank);
    if (!told.insert(peers).second) continue;
    for (const RankFigures* peer : *peers) one.compared.push_back(peer->rank);
  }
  return out;
}

}  // namespace stepwise::cluster
