#include "memory_users.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;
namespace l2_cache = table::l2_cache;
namespace memory_block = table::memory_block;

}  // namespace

std::vector<MemoryUser> memory_users(const sdk::Call& call, const sdk::TableView& view) {
  const auto name = view[memory_block::name], device = view[memory_block::device];
  std::map<std::pair<int32_t, int32_t>, MemoryUser> users;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    MemoryUser& user = users[{name.code(row), device.code(row)}];
    user.name = name[row];
    user.device = device.get(row);
    const int64_t bytes = view[memory_block::bytes][row];
    if (user.count++ == 0 || bytes > user.max_bytes) {
      user.max_bytes = bytes;
      user.row = view[memory_block::src_pos][row];
    }
    user.bytes += bytes;
    if (const auto dur_ns = view[memory_block::dur_ns].get(row)) {
      ++user.released;
      user.released_ns += *dur_ns;
      user.byte_us += static_cast<double>(bytes) * static_cast<double>(*dur_ns) / 1000.0;
    } else if (!view[memory_block::alloc_ns].is_null(row)) {
      ++user.held;
      user.held_bytes += bytes;
    }
  });
  std::vector<MemoryUser> out;
  for (const auto& [key, user] : users) out.push_back(user);
  std::sort(out.begin(), out.end(), [](const MemoryUser& a, const MemoryUser& b) {
    return std::tie(b.byte_us, b.bytes, a.name, a.device) < std::tie(a.byte_us, a.bytes, b.name, b.device);
  });
  return out;
}

std::vector<CacheUser> cache_users(const sdk::Call& call, const sdk::TableView& view,
                                   const std::optional<sdk::TableView>& kernels) {
  std::map<std::pair<int64_t, int64_t>, int64_t> dur_of_task;  // by stream and task
  if (kernels) {
    call.for_each_row(kernels->rows(), [&](uint64_t row) {
      const auto stream = (*kernels)[kernel::stream].get(row), task = (*kernels)[kernel::task_id].get(row);
      if (stream && task) dur_of_task[{*stream, *task}] = (*kernels)[kernel::dur_ns][row];
    });
  }
  std::map<int32_t, CacheUser> users;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    CacheUser& user = users[view[l2_cache::name].code(row)];
    user.name = view[l2_cache::name][row];
    ++user.tasks;
    if (const auto hit = view[l2_cache::hit_ratio].get(row)) user.hit.add(*hit, 1);
    if (const auto victim = view[l2_cache::victim_ratio].get(row)) user.victim.add(*victim, 1);
    const auto stream = view[l2_cache::stream].get(row), task = view[l2_cache::task_id].get(row);
    const auto dur = stream && task ? dur_of_task.find({*stream, *task}) : dur_of_task.end();
    if (dur != dur_of_task.end()) user.total_ns = user.total_ns.value_or(0) + dur->second;
  });
  std::vector<CacheUser> out;
  for (const auto& [code, user] : users) out.push_back(user);
  std::sort(out.begin(), out.end(), [](const CacheUser& a, const CacheUser& b) {
    return std::tie(b.total_ns, b.tasks, a.name) < std::tie(a.total_ns, a.tasks, b.name);
  });
  return out;
}

}  // namespace stepwise::overview
