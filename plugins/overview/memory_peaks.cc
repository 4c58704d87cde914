#include "memory_peaks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace stepwise::overview {
namespace {

namespace memory = table::memory;
namespace module_memory = table::module_memory;
namespace static_memory = table::static_memory;

using ByDevice = std::map<std::pair<int32_t, int32_t>, MemoryPeak>;  // by the codes of device and component

void raise(std::optional<int64_t>& largest, std::optional<int64_t> value) {
  if (value && (!largest || *value > *largest)) largest = value;
}

std::vector<MemoryPeak> ranked(ByDevice peaks) {
  std::vector<MemoryPeak> out;
  for (auto& [key, peak] : peaks) out.push_back(peak);
  std::sort(out.begin(), out.end(), [](const MemoryPeak& a, const MemoryPeak& b) {
    return std::tie(b.reserved_bytes, a.device, a.component) < std::tie(a.reserved_bytes, b.device, b.component);
  });
  return out;
}

// The most that is needed at once: blocks are needed from their first node to their last.
std::optional<int64_t> most_at_once(std::map<int64_t, int64_t> changes) {
  if (changes.empty()) return std::nullopt;
  int64_t now = 0, most = 0;
  for (const auto& [node, change] : changes) {
    now += change;
    most = std::max(most, now);
  }
  return most;
}

}  // namespace

std::vector<MemoryPeak> memory_peaks(const sdk::Call& call, const sdk::TableView& view) {
  const auto device = view[memory::device], component = view[memory::component];
  const auto reserved = view[memory::reserved_bytes];
  ByDevice peaks;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    MemoryPeak& peak = peaks[{device.code(row), component.code(row)}];
    ++peak.samples;
    peak.device = device.get(row);
    peak.component = component[row];
    raise(peak.allocated_bytes, view[memory::allocated_bytes].get(row));
    raise(peak.active_bytes, view[memory::active_bytes].get(row));
    const auto now = reserved.get(row);
    if (!now || (peak.reserved_bytes && *now <= *peak.reserved_bytes)) return;
    peak.reserved_bytes = now;
    peak.reserved_at_ns = view[memory::ts_ns][row];
    peak.row = view[memory::src_pos][row];
  });
  return ranked(std::move(peaks));
}

std::vector<MemoryPeak> module_peaks(const sdk::Call& call, const sdk::TableView& view) {
  const auto device = view[module_memory::device], component = view[module_memory::component];
  ByDevice peaks;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const int64_t reserved = view[module_memory::reserved_bytes][row];
    if (reserved <= 0) return;
    MemoryPeak& peak = peaks[{device.code(row), component.code(row)}];
    ++peak.samples;
    peak.device = device.get(row);
    peak.component = component[row];
    if (peak.reserved_bytes && reserved <= *peak.reserved_bytes) return;
    peak.reserved_bytes = reserved;
    peak.reserved_at_ns = view[module_memory::ts_ns][row];
    peak.row = view[module_memory::src_pos][row];
  });
  return ranked(std::move(peaks));
}

std::vector<PlannedMemory> planned_memory(const sdk::Call& call, const sdk::TableView& view) {
  struct Plan {
    PlannedMemory planned;
    std::map<int64_t, int64_t> changes;  // bytes more or less, by node
  };
  std::map<std::pair<int32_t, std::optional<int64_t>>, Plan> plans;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto graph = view[static_memory::graph_id].get(row);
    Plan& plan = plans[{view[static_memory::model].code(row), graph}];
    plan.planned.model = view[static_memory::model].get(row);
    plan.planned.graph_id = graph;
    ++plan.planned.operators;
    const auto first = view[static_memory::node_start].get(row), last = view[static_memory::node_end].get(row);
    if (!first || !last || *last < *first || *last == INT64_MAX) return;
    plan.changes[*first] += view[static_memory::bytes][row];
    plan.changes[*last + 1] -= view[static_memory::bytes][row];
  });
  std::vector<PlannedMemory> out;
  for (auto& [key, plan] : plans) {
    plan.planned.peak_bytes = most_at_once(std::move(plan.changes));
    out.push_back(plan.planned);
  }
  std::sort(out.begin(), out.end(), [](const PlannedMemory& a, const PlannedMemory& b) {
    return std::tie(b.peak_bytes, a.model, a.graph_id) < std::tie(a.peak_bytes, b.model, b.graph_id);
  });
  return out;
}

}  // namespace stepwise::overview
