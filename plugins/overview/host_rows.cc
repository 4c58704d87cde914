#include "host_rows.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace stepwise::overview {
namespace {

namespace api_stat = table::api_stat;
namespace host_op = table::host_op;
namespace runtime_api = table::runtime_api;

void add_idle(HostRow& row, const DeviceIdle* idle, int64_t start_ns, int64_t dur_ns) {
  if (idle == nullptr) return;
  row.device_idle_ns = row.device_idle_ns.value_or(0) + idle->within_ns(start_ns, start_ns + dur_ns);
}

void add_call(HostRow& row, int64_t dur_ns, int64_t src_pos) {
  if (row.count++ == 0 || dur_ns > row.max_ns.value_or(0)) {
    row.max_ns = dur_ns;
    row.row = src_pos;
  }
  row.total_ns += dur_ns;
}

// Known levels as literals: rows outlive what they are read from.
std::string_view known_level(std::string_view level) {
  for (const std::string_view known : {"acl", "model", "node", "runtime", "communication"}) {
    if (level == known) return known;
  }
  return level == "hccl" ? "communication" : level;
}

}  // namespace

std::string_view level_of(std::optional<std::string_view> category) {
  constexpr std::pair<std::string_view, std::string_view> kLevels[] = {{"AscendCL", "acl"},
                                                                       {"Model", "model"},
                                                                       {"Node", "node"},
                                                                       {"Hccl", "communication"},
                                                                       {"Communication", "communication"}};
  for (const auto& [stack, level] : kLevels) {
    if (category == stack) return level;
  }
  return "runtime";
}

std::string_view bare_name(std::string_view name) {
  const size_t at = name.find('@');
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

std::vector<HostRow> rows_of_statistic(const sdk::Call& call, const sdk::TableView& view) {
  std::vector<HostRow> out;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    HostRow one;
    one.name = view[api_stat::name][row];
    one.level = known_level(view[api_stat::level][row]);
    one.count = static_cast<uint64_t>(std::max<int64_t>(view[api_stat::count][row], 0));
    one.total_ns = view[api_stat::total_ns][row];
    one.max_ns = view[api_stat::max_ns].get(row);
    one.file = view.source_file();
    one.row = view[api_stat::src_pos][row];
    out.push_back(one);
  });
  return out;
}

std::vector<HostRow> rows_of_driver(const sdk::Call& call, const sdk::TableView& view, std::optional<int64_t> step,
                                    const DeviceIdle* idle) {
  const auto name = view[runtime_api::name];
  const auto category = view[runtime_api::category];
  std::map<std::pair<int32_t, int32_t>, HostRow> sums;  // by name and category
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (step && view[runtime_api::step].get(row) != step) return;
    HostRow& one = sums[{name.code(row), category.code(row)}];
    one.name = bare_name(name[row]);
    one.level = level_of(category.get(row));
    one.file = view.source_file();
    add_call(one, view[runtime_api::dur_ns][row], view[runtime_api::src_pos][row]);
    add_idle(one, idle, view[runtime_api::start_ns][row], view[runtime_api::dur_ns][row]);
  });
  std::vector<HostRow> out;
  for (const auto& [key, one] : sums) out.push_back(one);
  return out;
}

std::vector<HostRow> rows_of_framework(const sdk::Call& call, const sdk::TableView& view, std::optional<int64_t> step,
                                       const DeviceIdle* idle) {
  const auto name = view[host_op::name];
  const auto parent = view[host_op::parent_id];
  const auto dur_ns = view[host_op::dur_ns];
  std::vector<int64_t> inner_ns(view.rows(), 0);
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto outer = parent.get(row);
    if (outer && static_cast<uint64_t>(*outer) < view.rows()) inner_ns[static_cast<size_t>(*outer)] += dur_ns[row];
  });
  std::vector<HostRow> sums(name.dictionary_size());
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const bool left_out = name.is_null(row) || name[row].rfind("ProfilerStep#", 0) == 0;
    if (left_out || (step && view[host_op::step].get(row) != step)) return;
    HostRow& one = sums[static_cast<size_t>(name.code(row))];
    one.name = name[row];
    one.level = "framework";
    one.file = view.source_file();
    one.self_ns = one.self_ns.value_or(0) + dur_ns[row] - inner_ns[row];
    add_call(one, dur_ns[row], view[host_op::src_pos][row]);
    add_idle(one, idle, view[host_op::start_ns][row], dur_ns[row]);
  });
  sums.erase(std::remove_if(sums.begin(), sums.end(), [](const HostRow& one) { return one.count == 0; }), sums.end());
  return sums;
}

void rank(std::vector<HostRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const HostRow& a, const HostRow& b) {
    return std::tie(b.total_ns, a.level, a.name) < std::tie(a.total_ns, b.level, b.name);
  });
}

}  // namespace stepwise::overview
