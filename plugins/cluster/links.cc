#include "links.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace stepwise::cluster {
namespace {

namespace comm_matrix = table::comm_matrix;
namespace cluster_comm_matrix = table::cluster_comm_matrix;
using sdk::Call;

// src, dst, the group whose numbers they are, transport.
using LinkKey = std::tuple<int64_t, int64_t, std::string, std::string>;
struct Traffic {
  int64_t bytes = 0, transit_ns = 0;
};
using Traffics = std::map<LinkKey, Traffic>;

/// One rank's links of one group, before it is known whose numbers they are.
struct FileLinks {
  uint32_t rank = 0;
  Traffics links;  // keyed without the group
};
using ByGroup = std::map<std::string, std::vector<FileLinks>>;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Digests repeat operations (top1, middle, bottom1...): there their totals alone say everything once.
template <class Name>
bool is_digest(const Call& call, uint64_t rows, const Name& name) {
  bool found = false;
  call.for_each_row(rows, [&](uint64_t row) { found = found || ends_with(name[row], "-total"); });
  return found;
}

bool counts_once(std::string_view name, bool digest) {
  return digest ? ends_with(name, "-total") : name != "Total Op Info";
}

bool read_rank(Call& call, uint32_t rank, const Figures& figures, ByGroup& groups) {
  const auto view = call.table(rank, comm_matrix::kTable);
  if (!view) return false;
  const auto name = (*view)[comm_matrix::name];
  const bool digest = is_digest(call, view->rows(), name);
  std::map<std::string, FileLinks> found;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    if (!counts_once(name[row], digest) || !figures.covers((*view)[comm_matrix::step].get(row))) return;
    FileLinks& of_group = found[std::string((*view)[comm_matrix::group_id][row])];
    of_group.rank = rank;
    Traffic& one = of_group.links[{(*view)[comm_matrix::src_rank][row], (*view)[comm_matrix::dst_rank][row], "",
                                   std::string((*view)[comm_matrix::transport][row])}];
    one.bytes += (*view)[comm_matrix::bytes][row];
    one.transit_ns += (*view)[comm_matrix::transit_ns][row];
  });
  for (auto& [id, links] : found) groups[id].push_back(std::move(links));
  return true;
}

void read_cluster_file(Call& call, const Figures& figures, Traffics& out, bool& any) {
  with_cluster_table(call, cluster_comm_matrix::kTable, [&](const sdk::TableView& view) {
    any = true;
    const auto name = view[cluster_comm_matrix::name];
    const bool digest = is_digest(call, view.rows(), name);
    call.for_each_row(view.rows(), [&](uint64_t row) {
      if (!counts_once(name[row], digest) || !figures.covers(view[cluster_comm_matrix::step].get(row))) return;
      Traffic& one = out[{view[cluster_comm_matrix::src_rank][row], view[cluster_comm_matrix::dst_rank][row], "",
                          std::string(view[cluster_comm_matrix::transport][row])}];
      one.bytes += view[cluster_comm_matrix::bytes][row];
      one.transit_ns += view[cluster_comm_matrix::transit_ns][row];
    });
  });
}

/// How to read the numbers of a group. `members`: in its order; where the profiler did not say, those at hand.
enum class Numbering { global, of_group, unknown };
Numbering numbering(const std::vector<FileLinks>& files, const std::vector<int64_t>& members, bool all_members) {
  bool global = true, of_group = true;
  const auto size = static_cast<int64_t>(members.size());
  const int64_t largest = *std::max_element(members.begin(), members.end());
  for (const FileLinks& file : files) {
    // A rank's own file tells of links from that rank, so one of its numbers is known.
    const auto rank = static_cast<int64_t>(file.rank);
    for (const auto& [key, unused] : file.links) {
      const int64_t src = std::get<0>(key), dst = std::get<1>(key);
      of_group =
          of_group && src >= 0 && src < size && dst >= 0 && dst < size && members[static_cast<size_t>(src)] == rank;
      // A rank that is its own number in an unknown group has all smaller ranks in it: numbers up to that are the same
      // either way, larger ones are not known.
      const bool known = all_members ? std::find(members.begin(), members.end(), dst) != members.end() : dst <= largest;
      global = global && src == rank && known;
    }
  }
  return of_group ? Numbering::of_group : global ? Numbering::global : Numbering::unknown;
}

void add_group(const std::string& id, const std::vector<FileLinks>& files, const ParallelGroups& groups,
               Traffics& out) {
  const NamedGroup* named = groups.find(id);
  const bool all_members = named != nullptr && !named->ranks.empty();
  std::vector<int64_t> members;
  if (all_members) members = named->ranks;
  for (size_t i = 0; i < files.size() && !all_members; ++i) members.push_back(files[i].rank);  // ascending
  const Numbering how = numbering(files, members, all_members);
  for (const FileLinks& file : files) {
    for (const auto& [key, traffic] : file.links) {
      auto [src, dst, unused, transport] = key;
      if (how == Numbering::of_group) {
        src = members[static_cast<size_t>(src)];
        dst = members[static_cast<size_t>(dst)];
      }
      Traffic& one = out[{src, dst, how == Numbering::unknown ? id : "", transport}];
      one.bytes += traffic.bytes;
      one.transit_ns += traffic.transit_ns;
    }
  }
}

/// Sizes within a factor of four are alike.
int size_class(int64_t bytes) {
  int out = 0;
  for (; bytes >= 4; bytes /= 4) ++out;
  return out;
}

void compare(std::vector<Link>& list) {
  const auto class_of = [](const Link& one) { return std::pair(one.transport, size_class(one.bytes)); };
  std::map<std::pair<std::string, int>, std::vector<double>> rates;
  for (const Link& one : list) {
    if (one.gb_s() && one.bytes >= kBytesToCompare) rates[class_of(one)].push_back(*one.gb_s());
  }
  std::map<std::pair<std::string, int>, double> medians;
  for (const auto& [kind, values] : rates) {
    if (values.size() >= kLinksToCompare) medians[kind] = median(values);
  }
  for (Link& one : list) {
    const auto it = medians.find(class_of(one));
    if (it != medians.end() && one.gb_s() && one.bytes >= kBytesToCompare) one.median_gb_s = it->second;
  }
}

}  // namespace

std::optional<double> Link::gb_s() const {
  if (transit_ns <= 0 || bytes <= 0) return std::nullopt;
  return static_cast<double>(bytes) / static_cast<double>(transit_ns);
}

std::optional<double> Link::of_median() const {
  if (!gb_s() || !median_gb_s) return std::nullopt;
  return *gb_s() / *median_gb_s;
}

std::optional<Links> read_links(Call& call, const Figures& figures, const ParallelGroups& groups) {
  ByGroup by_group;
  bool any = false;
  std::set<int64_t> own;
  for (const uint32_t rank : call.args().ranks()) {
    if (!read_rank(call, rank, figures, by_group)) continue;
    any = true;
    own.insert(rank);
  }
  Traffics traffics, of_cluster;
  for (const auto& [id, files] : by_group) add_group(id, files, groups, traffics);
  read_cluster_file(call, figures, of_cluster, any);
  for (const auto& [key, traffic] : of_cluster) {
    if (own.count(std::get<0>(key)) == 0) traffics[key] = traffic;
  }
  if (!any) return std::nullopt;
  Links out;
  for (const auto& [key, traffic] : traffics) {
    const auto& [src, dst, group, transport] = key;
    if (src == dst) {
      ++out.local;
      continue;
    }
    out.list.push_back({src, dst, group, transport, traffic.bytes, traffic.transit_ns, std::nullopt});
  }
  compare(out.list);
  std::stable_sort(out.list.begin(), out.list.end(), [](const Link& a, const Link& b) {
    const auto x = a.of_median(), y = b.of_median();
    if (x && y) return *x < *y;
    return x.has_value() && !y.has_value();
  });
  return out;
}

}  // namespace stepwise::cluster
