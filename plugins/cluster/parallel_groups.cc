#include "parallel_groups.h"

#include <charconv>

#include "rank_figures.h"

namespace stepwise::cluster {
namespace {

namespace meta = table::meta;
namespace comm_group = table::comm_group;
namespace cluster_step = table::cluster_step;
using sdk::Call;

// "parallel_group_info.<group>.<field>": the group's name may hold dots, the field does not.
constexpr std::string_view kInfo = "parallel_group_info.";

struct Info {
  NamedGroup group;
  std::optional<int64_t> own_index;
};

std::map<std::string, Info> infos_of(Call& call, uint32_t rank) {
  std::map<std::string, Info> out;
  const auto view = call.table(rank, meta::kTable);
  if (!view) return out;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    std::string_view key = (*view)[meta::key][row];
    if (key.substr(0, kInfo.size()) != kInfo) return;
    key.remove_prefix(kInfo.size());
    const size_t dot = key.rfind('.');
    if (dot == std::string_view::npos) return;
    Info& info = out[std::string(key.substr(0, dot))];
    const std::string_view field = key.substr(dot + 1), value = (*view)[meta::value][row];
    if (field == "group_name") info.group.parallel = value;
    if (field == "global_ranks") info.group.ranks = numbers_in(value);
    if (const auto found = numbers_in(value); field == "group_rank" && found.size() == 1)
      info.own_index = found.front();
  });
  return out;
}

void place(RankPlace& to, std::string_view parallel, int64_t index) {
  if (parallel == "tp") to.tensor = index;
  if (parallel == "pp") to.pipeline = index;
  if (parallel == "dp") to.data = index;
  // Runs without context parallelism may name the group of both alone.
  if (parallel == "dp_cp" && !to.data) to.data = index;
}

}  // namespace

const NamedGroup* ParallelGroups::find(std::string_view id) const {
  const auto it = by_id.find(id);
  return it == by_id.end() ? nullptr : &it->second;
}

RankPlace ParallelGroups::place(uint32_t rank) const {
  const auto it = places.find(rank);
  return it == places.end() ? RankPlace() : it->second;
}

ParallelGroups read_parallel_groups(Call& call) {
  ParallelGroups out;
  for (const uint32_t rank : call.args().ranks()) {
    for (auto& [name, info] : infos_of(call, rank)) {
      if (info.own_index) place(out.places[rank], info.group.parallel, *info.own_index);
      if (info.group.ranks.empty()) continue;
      // The name is the communicator's own or already its hash; the first rank's word stands.
      out.by_id.try_emplace(group_hash(name), info.group);
      out.by_id.try_emplace(name, std::move(info.group));
    }
  }
  with_cluster_table(call, comm_group::kTable, [&](const sdk::TableView& view) {
    call.for_each_row(view.rows(), [&](uint64_t row) {
      const auto id = view[comm_group::group_id].get(row);
      if (!id) return;
      out.by_id.try_emplace(std::string(*id), NamedGroup{numbers_in(view[comm_group::ranks][row]),
                                                         std::string(view[comm_group::parallel][row])});
    });
  });
  with_cluster_table(call, cluster_step::kTable, [&](const sdk::TableView& view) {
    call.for_each_row(view.rows(), [&](uint64_t row) {
      const auto rank = rank_of(view[cluster_step::of_rank].get(row));
      if (!rank) return;
      const RankPlace said{view[cluster_step::tp_index].get(row), view[cluster_step::pp_index].get(row),
                           view[cluster_step::dp_index].get(row)};
      if (said.any()) out.places[*rank] = said;
    });
  });
  return out;
}

std::string group_hash(std::string_view name) {
  uint32_t high = 0, low = 0;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    high = high * 29 + byte;
    low = low * 131 + byte;
  }
  return std::to_string((static_cast<uint64_t>(high) << 32) | low);
}

std::vector<int64_t> numbers_in(std::string_view text) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] < '0' || text[i] > '9') {
      ++i;
      continue;
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
    if (error == std::errc()) out.push_back(value);
    i = static_cast<size_t>(end - text.data());
  }
  return out;
}

}  // namespace stepwise::cluster
