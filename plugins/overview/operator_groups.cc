#include "operator_groups.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <unordered_map>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;
namespace op_stat = table::op_stat;
using table::Type;

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

bool asks_for_communication(const OperatorFilter& filter) {
  return filter.core && (equal_in_any_case(*filter.core, "HCCL") || equal_in_any_case(*filter.core, "COMMUNICATION"));
}

// The dictionary codes that a group shares; within one table equal codes are equal texts.
struct Key {
  int32_t op_type, core_type, name, shapes, dtypes;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const {
    size_t hash = 0;
    for (const int32_t part : {key.op_type, key.core_type, key.name, key.shapes, key.dtypes}) {
      hash = (hash ^ static_cast<uint32_t>(part)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 31;
    }
    return hash;
  }
};

// Shares of a kernel's time in which it moved data: the largest of the memory transfer engines.
class TransferShare {
 public:
  explicit TransferShare(const sdk::TableView& view)
      : engines_{view[kernel::aic_mte1_ratio], view[kernel::aic_mte2_ratio], view[kernel::aiv_mte2_ratio],
                 view[kernel::aiv_mte3_ratio]} {}
  std::optional<double> operator()(uint64_t row) const {
    std::optional<double> largest;
    for (const auto& engine : engines_) {
      const auto share = engine.get(row);
      if (share && (!largest || *share > *largest)) largest = share;
    }
    return largest;
  }

 private:
  sdk::Column<Type::f64> engines_[4];
};

// Core time over duration: the sum of shares weighted by duration is the sum of core times. Cores are timed by cycles
// of their own, which of short kernels come to a little more than the duration: a core is busy for all of it then.
double share_of_core(int64_t core_ns, int64_t dur_ns) {
  return static_cast<double>(std::min(core_ns, dur_ns)) / static_cast<double>(dur_ns);
}

void rank(std::vector<OperatorGroup>& groups) {
  const auto texts = [](const OperatorGroup& g) {
    return std::tie(g.op_type, g.name, g.core_type, g.input_shapes, g.dtypes);
  };
  std::sort(groups.begin(), groups.end(), [&texts](const OperatorGroup& a, const OperatorGroup& b) {
    return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : texts(a) < texts(b);
  });
}

class Grouping {
 public:
  Grouping(const sdk::TableView& view, GroupBy by) : view_(view), by_(by), transfers_(view) {}

  void add(uint64_t row) {
    const int64_t ns = dur_ns_[row];
    OperatorGroup& group = groups_[index_of(row)];
    ++group.count;
    group.total_ns += ns;
    if (group.count == 1 || ns > group.max_ns) {
      group.max_ns = ns;
      group.slowest_row = src_pos_[row];
    }
    if (const auto share = transfers_(row)) group.mte.add(*share, ns);
    if (const auto core_ns = aic_ns_.get(row); core_ns && ns > 0) group.aic.add(share_of_core(*core_ns, ns), ns);
    if (const auto core_ns = aiv_ns_.get(row); core_ns && ns > 0) group.aiv.add(share_of_core(*core_ns, ns), ns);
  }
  std::vector<OperatorGroup> take() { return std::move(groups_); }

 private:
  size_t index_of(uint64_t row) {
    constexpr int32_t kNot = sdk::Column<Type::code>::kNull;
    const bool by_name = by_ == GroupBy::name, by_shape = by_ == GroupBy::shape;
    const Key key{op_type_.code(row), core_type_.code(row), by_name ? name_.code(row) : kNot,
                  by_shape ? shapes_.code(row) : kNot, by_shape ? dtypes_.code(row) : kNot};
    const auto [it, added] = index_.try_emplace(key, groups_.size());
    if (added) {
      OperatorGroup group;
      group.op_type = op_type_.get(row);
      group.core_type = core_type_.get(row);
      if (by_name) group.name = name_.get(row);
      if (by_shape) {
        group.input_shapes = shapes_.get(row);
        group.dtypes = dtypes_.get(row);
      }
      groups_.push_back(group);
    }
    return it->second;
  }

  const sdk::TableView& view_;
  GroupBy by_;
  TransferShare transfers_;
  sdk::Column<Type::code> op_type_ = view_[kernel::op_type], core_type_ = view_[kernel::core_type],
                          name_ = view_[kernel::name], shapes_ = view_[kernel::input_shapes],
                          dtypes_ = view_[kernel::input_dtypes];
  sdk::Column<Type::i64> dur_ns_ = view_[kernel::dur_ns], src_pos_ = view_[kernel::src_pos],
                         aic_ns_ = view_[kernel::aic_time_ns], aiv_ns_ = view_[kernel::aiv_time_ns];
  std::unordered_map<Key, size_t, KeyHash> index_;
  std::vector<OperatorGroup> groups_;
};

}  // namespace

OperatorTotals group_operators(const sdk::Call& call, const sdk::TableView& view, const KernelSteps& step_of,
                               GroupBy by, const OperatorFilter& filter) {
  const auto class_ = view[kernel::class_];
  const auto core_type = view[kernel::core_type];
  const auto dur_ns = view[kernel::dur_ns];
  const bool wants_communication = asks_for_communication(filter);
  OperatorTotals totals;
  std::set<int64_t> steps;
  std::set<std::string_view> cores;
  Grouping grouping(view, by);
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto n = step_of.of(row);
    if (n) steps.insert(*n);
    if (!core_type.is_null(row)) cores.insert(core_type[row]);
    if (filter.step && n != filter.step) return;
    const bool communicates = class_[row] == "communication";
    if (communicates && !wants_communication) {
      ++totals.left_out_communication;
      totals.left_out_communication_ns += dur_ns[row];
      return;
    }
    const bool copies = class_[row] == "copy";
    const bool is_asked_for = filter.core && equal_in_any_case(core_type[row], *filter.core);
    const bool left_out = filter.only_kernels ? !communicates && class_[row] != "compute" : copies && !is_asked_for;
    if (left_out) {
      ++(copies ? totals.left_out_copies : totals.left_out_memsets);
      (copies ? totals.left_out_copies_ns : totals.left_out_memsets_ns) += dur_ns[row];
      return;
    }
    if (wants_communication ? !communicates : filter.core && !equal_in_any_case(core_type[row], *filter.core)) return;
    ++totals.count;
    totals.total_ns += dur_ns[row];
    grouping.add(row);
  });
  totals.groups = grouping.take();
  totals.steps.assign(steps.begin(), steps.end());
  totals.cores.assign(cores.begin(), cores.end());
  rank(totals.groups);
  return totals;
}

OperatorTotals operators_of_statistic(const sdk::Call& call, const sdk::TableView& view, const OperatorFilter& filter) {
  OperatorTotals totals;
  std::set<std::string_view> cores;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    OperatorGroup group;
    group.op_type = view[op_stat::op_type].get(row);
    group.core_type = view[op_stat::core_type].get(row);
    if (group.core_type) cores.insert(*group.core_type);
    if (filter.core && !equal_in_any_case(group.core_type.value_or(""), *filter.core)) return;
    group.count = static_cast<uint64_t>(view[op_stat::count][row]);
    group.total_ns = view[op_stat::total_ns][row];
    group.max_ns = view[op_stat::max_ns][row];
    group.slowest_row = view[op_stat::src_pos][row];
    totals.count += group.count;
    totals.total_ns += group.total_ns;
    totals.groups.push_back(group);
  });
  totals.cores.assign(cores.begin(), cores.end());
  rank(totals.groups);
  return totals;
}

}  // namespace stepwise::overview
