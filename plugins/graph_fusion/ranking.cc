#include "ranking.h"

#include <algorithm>
#include <numeric>

namespace stepwise::graph_fusion {
namespace {

uint64_t operators_of(const Repeat& repeat) { return repeat.length * repeat.instances.size(); }

bool is_better(const RankedRepeat& a, const RankedRepeat& b) {
  const int64_t a_ns = a.total_ns.value_or(-1), b_ns = b.total_ns.value_or(-1);
  if (a_ns != b_ns) return a_ns > b_ns;
  if (operators_of(a.repeat) != operators_of(b.repeat)) return operators_of(a.repeat) > operators_of(b.repeat);
  if (a.repeat.length != b.repeat.length) return a.repeat.length > b.repeat.length;
  return a.repeat.instances[0].start < b.repeat.instances[0].start;
}

void add_times(RankedRepeat& row, const Sequence& sequence, const std::vector<uint32_t>& node_at,
               const OperatorTimes& times) {
  for (const Instance& instance : row.repeat.instances) {
    std::optional<int64_t>& each = row.each_ns.emplace_back();
    for (const uint32_t position : positions_of(sequence, instance, row.repeat.length)) {
      if (const auto ns = times.total_ns[node_at[position]]) each = each.value_or(0) + *ns;
    }
    if (each) row.total_ns = row.total_ns.value_or(0) + *each;
  }
}

/// The first row that owns one of its operators, if more than half of them are owned. Else they become its own.
std::optional<size_t> find_variant(const RankedRepeat& row, size_t index, const Sequence& sequence,
                                   std::vector<size_t>& owner_plus_1) {
  uint64_t owned = 0;
  std::optional<size_t> by;
  std::vector<uint32_t> positions;
  for (const Instance& instance : row.repeat.instances) {
    for (const uint32_t position : positions_of(sequence, instance, row.repeat.length)) {
      positions.push_back(position);
      if (owner_plus_1[position] == 0) continue;
      ++owned;
      if (!by) by = owner_plus_1[position] - 1;
    }
  }
  if (owned * 2 > positions.size()) return by;
  for (const uint32_t position : positions) {
    if (owner_plus_1[position] == 0) owner_plus_1[position] = index + 1;
  }
  return std::nullopt;
}

}  // namespace

Ranking rank_repeats(std::vector<Repeat> repeats, const Sequence& sequence, const std::vector<uint32_t>& node_at,
                     const OperatorTimes* times) {
  Ranking ranking;
  std::vector<uint8_t> is_in(sequence.types.size(), 0);
  for (Repeat& repeat : repeats) {
    RankedRepeat& row = ranking.rows.emplace_back();
    row.repeat = std::move(repeat);
    if (times != nullptr && times->any()) add_times(row, sequence, node_at, *times);
    for (const Instance& instance : row.repeat.instances) {
      for (const uint32_t position : positions_of(sequence, instance, row.repeat.length)) is_in[position] = 1;
    }
  }
  ranking.operators_in_repeats = std::accumulate(is_in.begin(), is_in.end(), uint64_t{0});
  for (size_t position = 0; times != nullptr && times->any() && position < is_in.size(); ++position) {
    if (is_in[position] == 0) continue;
    ranking.repeats_ns = ranking.repeats_ns.value_or(0) + times->total_ns[node_at[position]].value_or(0);
  }
  std::sort(ranking.rows.begin(), ranking.rows.end(), is_better);
  std::vector<size_t> owner_plus_1(sequence.types.size(), 0);
  std::vector<RankedRepeat> own, variants;
  for (RankedRepeat& row : ranking.rows) {
    row.variant_of = find_variant(row, own.size(), sequence, owner_plus_1);
    (row.variant_of ? variants : own).push_back(std::move(row));
  }
  std::move(variants.begin(), variants.end(), std::back_inserter(own));
  ranking.rows = std::move(own);
  return ranking;
}

}  // namespace stepwise::graph_fusion
