#include "custom_op_sync.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sync_names.h"

namespace stepwise::overview {
namespace {

namespace device_task = table::device_task;
namespace host_op = table::host_op;
namespace runtime_api = table::runtime_api;

struct CustomCall {
  int64_t start_ns, end_ns;
  uint64_t row;
  uint64_t waits = 0;
  int64_t waited_ns = 0;
};
using CallsOfThread = std::map<int64_t, std::vector<CustomCall>>;  // by thread; in order of start

// The outermost custom operators of each thread, so that a wait inside two of them counts for one.
CallsOfThread custom_calls(const sdk::Call& call, const sdk::TableView& ops, std::optional<int64_t> step) {
  const auto name = ops[host_op::name];
  std::vector<int8_t> custom(name.dictionary_size(), -1);
  CallsOfThread out;
  call.for_each_row(ops.rows(), [&](uint64_t row) {
    if (name.is_null(row) || (step && ops[host_op::step].get(row) != step)) return;
    int8_t& is_custom = custom[static_cast<size_t>(name.code(row))];
    if (is_custom < 0) is_custom = is_custom_operator(name[row]) ? 1 : 0;
    if (is_custom == 0) return;
    const int64_t start_ns = ops[host_op::start_ns][row];
    std::vector<CustomCall>& calls = out[ops[host_op::tid][row]];
    if (!calls.empty() && start_ns < calls.back().end_ns) return;
    calls.push_back({start_ns, start_ns + ops[host_op::dur_ns][row], row});
  });
  return out;
}

CustomCall* call_around(CallsOfThread& calls, int64_t tid, int64_t start_ns) {
  const auto thread = calls.find(tid);
  if (thread == calls.end()) return nullptr;
  std::vector<CustomCall>& list = thread->second;
  auto after = std::upper_bound(list.begin(), list.end(), start_ns,
                                [](int64_t at, const CustomCall& one) { return at < one.start_ns; });
  if (after == list.begin()) return nullptr;
  --after;
  return start_ns < after->end_ns ? &*after : nullptr;
}

std::unordered_map<int64_t, int64_t> device_waits(sdk::Call& call, uint32_t rank) {
  std::unordered_map<int64_t, int64_t> dur_of_connection;
  const auto tasks = call.table(rank, device_task::kTable);
  if (!tasks) return dur_of_connection;
  call.for_each_row(tasks->rows(), [&](uint64_t row) {
    const auto connection = (*tasks)[device_task::connection_id].get(row);
    const bool of_hardware = (*tasks)[device_task::lane][row] == "hardware";
    if (connection && of_hardware && waits_on_device((*tasks)[device_task::name][row])) {
      dur_of_connection[*connection] += (*tasks)[device_task::dur_ns][row];
    }
  });
  return dur_of_connection;
}

}  // namespace

void add_custom_op_syncs(sdk::Call& call, uint32_t rank, std::optional<int64_t> step, KernelProblems& out) {
  ProblemTotal& total = out.totals[static_cast<size_t>(Problem::custom_op_sync)];
  total.lacks = "the timeline's host calls";
  const auto ops = call.table(rank, host_op::kTable);
  const auto driver = call.table(rank, runtime_api::kTable);
  if (!ops || !driver) return;
  total.known = true;
  CallsOfThread calls = custom_calls(call, *ops, step);
  if (calls.empty()) return;
  const auto waits = device_waits(call, rank);
  const auto name = (*driver)[runtime_api::name];
  const auto parent = (*driver)[runtime_api::parent_id];
  call.for_each_row(driver->rows(), [&](uint64_t row) {
    int64_t waited_ns = (*driver)[runtime_api::dur_ns][row];
    if (synchronizes(name[row])) {
      const auto outer = parent.get(row);
      const bool inside = outer && static_cast<uint64_t>(*outer) < driver->rows();
      if (inside && synchronizes(name[static_cast<uint64_t>(*outer)])) return;
    } else {
      const auto link = (*driver)[runtime_api::link_id].get(row);
      const auto device = link ? waits.find(*link) : waits.end();
      if (device == waits.end()) return;
      waited_ns = device->second;
    }
    CustomCall* const around =
        call_around(calls, (*driver)[runtime_api::tid][row], (*driver)[runtime_api::start_ns][row]);
    if (around == nullptr) return;
    ++around->waits;
    around->waited_ns += waited_ns;
  });

  std::map<std::pair<int32_t, int32_t>, std::pair<size_t, uint64_t>> index;  // by name and shapes: group, waits
  for (const auto& [tid, list] : calls) {
    for (const CustomCall& one : list) {
      if (one.waits == 0) continue;
      const auto shapes = (*ops)[host_op::shapes];
      const auto [it, added] =
          index.try_emplace({(*ops)[host_op::name].code(one.row), shapes.code(one.row)}, out.groups.size(), 0);
      if (added) {
        ProblemGroup group;
        group.problem = Problem::custom_op_sync;
        group.name = (*ops)[host_op::name].get(one.row);
        group.input_shapes = shapes.get(one.row);
        group.threshold = kind_of(Problem::custom_op_sync).threshold;
        group.in_shares = false;
        group.file = ops->source_file();
        out.groups.push_back(group);
      }
      ProblemGroup& group = out.groups[it->second.first];
      it->second.second += one.waits;
      if (group.count++ == 0 || one.waited_ns > group.max_ns) {
        group.max_ns = one.waited_ns;
        group.row = (*ops)[host_op::src_pos][one.row];
      }
      group.total_ns += one.waited_ns;
      group.value = static_cast<double>(it->second.second) / static_cast<double>(group.count);
    }
  }
}

}  // namespace stepwise::overview
