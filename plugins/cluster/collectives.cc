#include "collectives.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

namespace stepwise::cluster {
namespace {

namespace comm_op = table::comm_op;
namespace cluster_comm_op = table::cluster_comm_op;
namespace kernel = table::kernel;
using sdk::Call;

// Step, name, and which of that name in the step.
using Key = std::tuple<Step, std::string, uint64_t>;
using OfRank = std::map<Key, Interval>;
using OfGroup = std::map<uint32_t, OfRank>;
using Groups = std::map<std::string, OfGroup>;

void add(OfRank& to, Step step, std::string_view name, Interval when) {
  // Names hold a running number as a rule, so that the first place is free.
  Key key{step, std::string(name), 0};
  while (to.count(key) > 0) ++std::get<2>(key);
  to.emplace(std::move(key), when);
}

/// When a rank's communication ran, by its kernels: the files of operations hold instants as doubles of us, which are
/// exact to a quarter of a us only. By name, in order of their starts.
class ExactInstants {
 public:
  ExactInstants(Call& call, uint32_t rank) {
    const auto view = call.table(rank, kernel::kTable);
    if (!view) return;
    const auto class_ = (*view)[kernel::class_], name = (*view)[kernel::name];
    const auto start_ns = (*view)[kernel::start_ns], dur_ns = (*view)[kernel::dur_ns];
    call.for_each_row(view->rows(), [&](uint64_t row) {
      if (class_[row] != "communication") return;
      by_name_[name[row]].push_back({start_ns[row], start_ns[row] + dur_ns[row]});
    });
  }

  /// The kernel of that name that begins when the operation does; the operation's own instants where there is none.
  Interval of(std::string_view name, Interval operation) const {
    const auto it = by_name_.find(name);
    if (it == by_name_.end()) return operation;
    const auto near = std::partition_point(it->second.begin(), it->second.end(), [&operation](const Interval& one) {
      return one.start_ns < operation.start_ns - kSameInstantNs;
    });
    const bool found = near != it->second.end() && near->start_ns <= operation.start_ns + kSameInstantNs;
    return found ? *near : operation;
  }

 private:
  static constexpr int64_t kSameInstantNs = 500;

  std::map<std::string_view, Intervals> by_name_;
};

bool read_operations(Call& call, const Figures& figures, Groups& groups) {
  std::set<uint32_t> own;
  for (const uint32_t rank : call.args().ranks()) {
    const auto view = call.table(rank, comm_op::kTable);
    if (!view) continue;
    own.insert(rank);
    const ExactInstants exact(call, rank);
    call.for_each_row(view->rows(), [&](uint64_t row) {
      const Step step = (*view)[comm_op::step].get(row);
      const auto id = (*view)[comm_op::group_id].get(row);
      if (!id || (*view)[comm_op::kind][row] != "collective" || !figures.covers(step)) return;
      const std::string_view name = (*view)[comm_op::name][row];
      const int64_t start_ns = (*view)[comm_op::start_ns][row];
      add(groups[std::string(*id)][rank], step, name,
          exact.of(name, {start_ns, start_ns + (*view)[comm_op::elapse_ns][row]}));
    });
  }
  with_cluster_table(call, cluster_comm_op::kTable, [&](const sdk::TableView& view) {
    call.for_each_row(view.rows(), [&](uint64_t row) {
      const Step step = view[cluster_comm_op::step].get(row);
      const auto rank = rank_of(view[cluster_comm_op::of_rank].get(row));
      const auto id = view[cluster_comm_op::group_id].get(row);
      const auto start_ns = view[cluster_comm_op::start_ns].get(row);
      if (!rank || !id || !start_ns || own.count(*rank) > 0) return;
      if (view[cluster_comm_op::kind][row] != "collective" || !figures.covers(step)) return;
      add(groups[std::string(*id)][*rank], step, view[cluster_comm_op::name][row],
          {*start_ns, *start_ns + view[cluster_comm_op::elapse_ns][row]});
    });
  });
  return !groups.empty();
}

/// hcom_allReduce__586_0_1 is of the group whose hash ends in 586; other names do not tell. GPU traces may say it
/// apart.
std::string group_in(std::string_view name) {
  const size_t mark = name.find("__");
  if (name.rfind("hcom_", 0) != 0 || mark == std::string_view::npos) return "";
  const std::string_view rest = name.substr(mark + 2);
  return std::string(rest.substr(0, rest.find('_')));
}

void read_kernels(Call& call, const Figures& figures, Groups& groups) {
  for (const uint32_t rank : call.args().ranks()) {
    const auto view = call.table(rank, kernel::kTable);
    if (!view) continue;
    const auto class_ = (*view)[kernel::class_], name = (*view)[kernel::name], group = (*view)[kernel::group_id];
    // Order within a name and group is all that there is: a count for each keeps adding cheap.
    std::map<std::tuple<Step, int32_t, std::string>, uint64_t> seen;
    call.for_each_row(view->rows(), [&](uint64_t row) {
      const Step step = (*view)[kernel::step].get(row);
      if (class_[row] != "communication" || !figures.covers(step)) return;
      if (name[row].rfind("hcom_send", 0) == 0 || name[row].rfind("hcom_receive", 0) == 0) return;
      const int64_t start_ns = (*view)[kernel::start_ns][row];
      const auto told = group.get(row);
      const std::string id = told ? std::string(*told) : group_in(name[row]);
      groups[id][rank].emplace(Key{step, std::string(name[row]), seen[{step, name.code(row), id}]++},
                               Interval{start_ns, start_ns + (*view)[kernel::dur_ns][row]});
    });
  }
  // Where names carry no number, one more execution on some rank shifts all that follow: only names that every rank has
  // equally often are the same operations.
  for (auto& [id, ranks] : groups) {
    using Name = std::pair<Step, std::string>;
    std::map<Name, std::map<uint32_t, uint64_t>> counts;
    for (const auto& [rank, collectives] : ranks) {
      for (const auto& [key, unused] : collectives) ++counts[{std::get<0>(key), std::get<1>(key)}][rank];
    }
    for (auto& [rank, collectives] : ranks) {
      std::erase_if(collectives, [&, n = ranks.size()](const auto& one) {
        const auto& of_name = counts[{std::get<0>(one.first), std::get<1>(one.first)}];
        const uint64_t first = of_name.begin()->second;
        return of_name.size() != n ||
               std::any_of(of_name.begin(), of_name.end(), [first](const auto& c) { return c.second != first; });
      });
    }
  }
}

std::optional<Domain> common(const std::string& id, const OfGroup& ranks) {
  if (ranks.size() < 2) return std::nullopt;
  std::vector<Key> keys;
  for (const auto& [key, unused] : ranks.begin()->second) {
    const bool everywhere =
        std::all_of(ranks.begin(), ranks.end(), [&key = key](const auto& one) { return one.second.count(key) > 0; });
    if (everywhere) keys.push_back(key);
  }
  if (keys.empty()) return std::nullopt;
  const OfRank& first = ranks.begin()->second;
  std::stable_sort(keys.begin(), keys.end(),
                   [&](const Key& a, const Key& b) { return first.at(a).start_ns < first.at(b).start_ns; });
  Domain out;
  out.id = id;
  for (const Key& key : keys) out.steps.push_back(std::get<0>(key));
  for (const auto& [rank, collectives] : ranks) {
    out.ranks.push_back(rank);
    auto& list = out.collectives.emplace_back();
    for (const Key& key : keys) list.push_back(collectives.at(key));
  }
  return out;
}

double median_end_difference(const Domain& domain, size_t of, size_t to) {
  std::vector<double> differences;
  for (size_t i = 0; i < domain.count(); ++i) {
    differences.push_back(static_cast<double>(domain.collectives[of][i].end_ns - domain.collectives[to][i].end_ns));
  }
  return median(std::move(differences));
}

/// Gives a domain's other ranks their offset, if one of them has its own already.
bool spread_offsets(const Domain& domain, Clocks& clocks) {
  const auto known = [&clocks](uint32_t rank) { return clocks.offset_ns.count(rank) > 0; };
  const auto from = std::find_if(domain.ranks.begin(), domain.ranks.end(), known);
  if (from == domain.ranks.end()) return false;
  const auto to = static_cast<size_t>(from - domain.ranks.begin());
  bool any = false;
  for (size_t i = 0; i < domain.ranks.size(); ++i) {
    if (known(domain.ranks[i])) continue;
    clocks.offset_ns[domain.ranks[i]] =
        clocks.offset_ns[*from] + static_cast<int64_t>(median_end_difference(domain, i, to));
    clocks.reference[domain.ranks[i]] = clocks.reference[*from];
    any = true;
  }
  return any;
}

void align(const std::vector<Domain>& domains, Clocks& clocks) {
  // Groups with more in common first: their median is worth more.
  std::vector<const Domain*> order;
  std::set<uint32_t> ranks;
  for (const Domain& one : domains) {
    order.push_back(&one);
    ranks.insert(one.ranks.begin(), one.ranks.end());
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Domain* a, const Domain* b) { return a->count() > b->count(); });
  for (const uint32_t rank : ranks) {
    if (clocks.offset_ns.count(rank) > 0) continue;
    clocks.offset_ns[rank] = 0;
    clocks.reference[rank] = rank;
    while (std::any_of(order.begin(), order.end(), [&](const Domain* one) { return spread_offsets(*one, clocks); })) {
    }
  }
}

/// For each collective, how far apart its aligned ends are.
std::vector<double> end_spreads(const Domain& domain, const Clocks& clocks) {
  std::vector<double> out;
  for (size_t i = 0; i < domain.count(); ++i) {
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t r = 0; r < domain.ranks.size(); ++r) {
      const int64_t end_ns = domain.collectives[r][i].end_ns - clocks.offset_ns.at(domain.ranks[r]);
      first = std::min(first, end_ns);
      last = std::max(last, end_ns);
    }
    out.push_back(static_cast<double>(last - first));
  }
  return out;
}

}  // namespace

Matches match_collectives(Call& call, const Figures& figures) {
  Matches out;
  Groups groups;
  out.source = "communication_file";
  if (!read_operations(call, figures, groups)) {
    out.source = "kernels";
    read_kernels(call, figures, groups);
  }
  for (const auto& [id, ranks] : groups) {
    auto domain = common(id, ranks);
    if (!domain) continue;
    Clocks alone;
    align({*domain}, alone);
    if (median(end_spreads(*domain, alone)) > static_cast<double>(kEndsAgreeNs)) {
      out.disagreeing.push_back(id);
      continue;
    }
    out.domains.push_back(std::move(*domain));
  }
  align(out.domains, out.clocks);
  std::vector<double> spreads;
  for (const Domain& one : out.domains) {
    for (const double spread : end_spreads(one, out.clocks)) spreads.push_back(spread);
  }
  if (!spreads.empty()) out.clocks.end_spread_ns = median(std::move(spreads));
  return out;
}

}  // namespace stepwise::cluster
