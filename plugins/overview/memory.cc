// Device memory: how much at most, who holds it, what is left, and what allocating costs.
#include <algorithm>
#include <charconv>
#include <string>

#include "device_rows.h"
#include "host_calls.h"
#include "host_rows.h"
#include "iterations.h"
#include "memory_peaks.h"
#include "memory_users.h"
#include "overview.h"
#include "read_steps.h"
#include "short_text.h"

namespace stepwise::overview {
namespace {

using sdk::Call;
using sdk::JsonWriter;

constexpr size_t kMaxRows = 10'000;  // what a result may hold
constexpr size_t kModulesShown = 6, kPlansShown = 5, kAllocatorCallsShown = 6, kCacheRowsShown = 8;

std::optional<double> us(std::optional<int64_t> ns) {
  if (!ns) return std::nullopt;
  return static_cast<double>(*ns) / 1000.0;
}

struct Answer {
  uint32_t rank = 0;
  std::optional<int64_t> origin_ns;
  std::vector<MemoryPeak> peaks, modules;
  std::vector<PlannedMemory> planned;
  std::vector<MemoryUser> users;
  std::vector<CacheUser> cache;
  std::vector<HostRow> allocator;  // of one level of the driver
  bool knows_calls = false;
  Iterations iterations;
  std::optional<int64_t> capacity_bytes;
  bool capacity_declared = false;
  std::string memory_file, block_file, module_file;
};

bool allocates(std::string_view name) {
  const bool names_it = name.find("alloc") != std::string_view::npos || name.find("Free") != std::string_view::npos ||
                        name.find("MapMem") != std::string_view::npos;
  const bool of_device = name.rfind("acl", 0) == 0 || name.rfind("Dev", 0) == 0 || name.rfind("cuda", 0) == 0 ||
                         name.rfind("hip", 0) == 0 || name.rfind("cuMem", 0) == 0;
  return names_it && of_device && name.find("Host") == std::string_view::npos;
}

// Levels wrap each other: acl, where it has such calls, else what stands below.
std::vector<HostRow> allocator_calls(std::vector<HostRow> rows) {
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const HostRow& row) { return !allocates(row.name); }),
             rows.end());
  const bool by_acl = std::any_of(rows.begin(), rows.end(), [](const HostRow& row) { return row.level == "acl"; });
  const std::string_view level = by_acl ? "acl" : "runtime";
  rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const HostRow& row) { return row.level != level; }),
             rows.end());
  rank(rows);
  return rows;
}

constexpr double kByteUsOfGibSecond = 1024.0 * 1024.0 * 1024.0 * 1e6;

// GPU traces tell the size of each device; all are alike, or the smallest decides.
std::optional<int64_t> capacity(const Call& call, const sdk::TableView& view) {
  namespace meta = table::meta;
  constexpr std::string_view kKey = ".totalGlobalMem";
  std::optional<int64_t> out;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const std::string_view key = view[meta::key][row], text = view[meta::value][row];
    if (key.size() < kKey.size() || key.substr(key.size() - kKey.size()) != kKey) return;
    int64_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    const bool is_number = error == std::errc() && end == text.data() + text.size() && bytes > 0;
    if (is_number && (!out || bytes < *out)) out = bytes;
  });
  return out;
}

// What is reserved at most on the fullest device; of a device of which several components tell, the largest one,
// since they hold each other (PTA+GE is PTA and GE, APP the whole process, DEVICE all processes).
std::optional<int64_t> most_reserved(const Answer& answer) {
  std::optional<int64_t> most;
  for (const MemoryPeak& peak : answer.peaks) most = std::max(most, peak.reserved_bytes);
  return most;
}

void write_peaks(JsonWriter& w, const Answer& answer) {
  w.key("peak").begin_array();
  for (const MemoryPeak& peak : answer.peaks) {
    w.begin_object().field("device", peak.device).field("component", peak.component);
    w.field("allocated_bytes", peak.allocated_bytes).field("reserved_bytes", peak.reserved_bytes);
    w.field("active_bytes", peak.active_bytes);
    w.field("reserved_minus_active_bytes", peak.reserved_minus_active_bytes());
    w.key("reserved_at_us");
    peak.reserved_at_ns&& answer.origin_ns ? w.value(us(*peak.reserved_at_ns - *answer.origin_ns)) : w.value(nullptr);
    w.end_object();
  }
  w.end_array();
}

void write_modules(JsonWriter& w, const Answer& answer) {
  w.key("modules").begin_array();
  for (size_t i = 0; i < std::min(answer.modules.size(), kModulesShown); ++i) {
    const MemoryPeak& one = answer.modules[i];
    w.begin_object().field("device", one.device).field("component", one.component);
    w.field("reserved_bytes", one.reserved_bytes).end_object();
  }
  w.end_array();
  w.key("planned").begin_array();
  for (size_t i = 0; i < std::min(answer.planned.size(), kPlansShown); ++i) {
    const PlannedMemory& one = answer.planned[i];
    w.begin_object().field("model", one.model).field("graph_id", one.graph_id).field("operators", one.operators);
    w.field("peak_bytes", one.peak_bytes).end_object();
  }
  w.end_array();
}

void write_allocator(JsonWriter& w, const Answer& answer) {
  w.key("allocator");
  if (!answer.knows_calls) {
    w.value(nullptr);
    return;
  }
  uint64_t count = 0;
  int64_t total_ns = 0;
  for (const HostRow& row : answer.allocator) {
    count += row.count;
    total_ns += row.total_ns;
  }
  const auto per_step = [&answer](double value) -> std::optional<double> {
    if (answer.iterations.count.value_or(0) == 0) return std::nullopt;
    return value / static_cast<double>(*answer.iterations.count);
  };
  w.begin_object().field("count", count).field("total_us", us(total_ns));
  w.field("per_step", per_step(static_cast<double>(count)));
  w.field("us_per_step", per_step(static_cast<double>(total_ns) / 1000.0));
  w.key("calls").begin_array();
  for (size_t i = 0; i < std::min(answer.allocator.size(), kAllocatorCallsShown); ++i) {
    const HostRow& row = answer.allocator[i];
    w.begin_object().field("name", row.name).field("level", row.level).field("count", row.count);
    w.field("total_us", us(row.total_ns)).end_object();
  }
  w.end_array().end_object();
}

void write_cache(JsonWriter& w, const Answer& answer) {
  w.key("l2").begin_array();
  for (size_t i = 0; i < std::min(answer.cache.size(), kCacheRowsShown); ++i) {
    const CacheUser& user = answer.cache[i];
    w.begin_object().field("name", short_name(user.name)).field("tasks", user.tasks);
    w.field("hit_ratio", user.hit.value()).field("victim_ratio", user.victim.value());
    w.field("total_us", us(user.total_ns)).end_object();
  }
  w.end_array();
}

void write_rows(JsonWriter& w, const Answer& answer) {
  w.key("rows").begin_array();
  for (size_t i = 0; i < std::min(answer.users.size(), kMaxRows); ++i) {
    const MemoryUser& user = answer.users[i];
    std::optional<double> mean_us;
    if (user.released > 0)
      mean_us = static_cast<double>(user.released_ns) / (1000.0 * static_cast<double>(user.released));
    w.begin_object().field("name", short_name(user.name)).field("device", user.device).field("count", user.count);
    w.field("bytes", user.bytes).field("max_bytes", user.max_bytes).field("avg_dur_us", mean_us);
    w.field("byte_us", user.byte_us)
        .field("gib_s", user.byte_us / kByteUsOfGibSecond)
        .field("held_bytes", user.held_bytes)
        .end_object();
  }
  w.end_array().field("total_rows", answer.users.size());
}

void write_evidence(JsonWriter& w, const Answer& answer) {
  size_t count = 0;
  const auto add = [&](const std::string& file, int64_t row, const std::string& says) {
    w.begin_object().field("id", "e" + std::to_string(++count)).field("file", file);
    if (row > 0) w.field("row", row);
    w.field("says", says).end_object();
  };
  w.key("evidence").begin_array();
  if (!answer.peaks.empty()) {
    const MemoryPeak& most = answer.peaks.front();
    add(answer.memory_file, most.row, "most reserved: component " + std::string(most.component));
  }
  if (!answer.users.empty()) {
    const MemoryUser& most = answer.users.front();
    add(answer.block_file, most.row, "the largest block of `" + std::string(most.name) + "`");
  }
  if (!answer.modules.empty()) {
    const MemoryPeak& most = answer.modules.front();
    add(answer.module_file, most.row, "the driver's component " + std::string(most.component));
  }
  if (answer.capacity_declared) add("", 0, "capacity_bytes: declared by the caller");
  w.end_array();
}

int32_t emit(Call& call, const Answer& answer) {
  std::optional<int64_t> headroom;
  const auto reserved = most_reserved(answer);
  if (answer.capacity_bytes && reserved) headroom = *answer.capacity_bytes - *reserved;
  JsonWriter w;
  w.begin_object();
  // Chips of one name are sold with different memory: neither the chip nor the host's own size tells it.
  const bool lacks_size = reserved && !answer.capacity_bytes;
  if (lacks_size) {
    w.field("status", "partial").key("missing").begin_array().begin_object();
    w.field("input", "the device's memory size").field("costs", "no headroom_bytes: declare device_memory_bytes");
    w.end_object().end_array();
  }
  w.field("headroom_bytes", headroom).field("capacity_bytes", answer.capacity_bytes);
  write_peaks(w, answer);
  write_modules(w, answer);
  write_allocator(w, answer);
  write_cache(w, answer);
  write_rows(w, answer);
  w.key("metrics").begin_object().field("memory.reserved_bytes", reserved).field("memory.headroom_bytes", headroom);
  w.end_object();
  write_evidence(w, answer);
  w.key("next").begin_array();
  if (!answer.allocator.empty()) {
    w.begin_object().field("tool", "host_api").key("arguments").begin_object();
    if (answer.rank != 0) w.field("rank", answer.rank);
    w.end_object().field("why", "what allocating costs beside the host's other calls").end_object();
  }
  w.end_array().end_object();
  return call.emit(w);
}

void read_calls(Call& call, Answer& answer) {
  const auto statistic = call.table(answer.rank, table::api_stat::kTable);
  const auto driver = call.table(answer.rank, table::runtime_api::kTable);
  const auto kernels = call.table(answer.rank, table::kernel::kTable);
  answer.knows_calls = statistic || driver;
  if (statistic) {
    answer.allocator = allocator_calls(rows_of_statistic(call, *statistic));
  } else if (driver) {
    answer.allocator = allocator_calls(rows_of_driver(call, *driver, std::nullopt));
  }
  const StepsAtHand at_hand = read_steps(call, answer.rank, kernels, std::nullopt);
  const auto calls = statistic ? std::optional(host_calls(call, *statistic)) : std::nullopt;
  const auto facts = kernels ? std::optional(kernel_facts(call, *kernels, is_gpu(call))) : std::nullopt;
  answer.iterations = infer_iterations(at_hand.steps, calls, facts, at_hand.timed);
  if (const auto l2 = call.table(answer.rank, table::l2_cache::kTable)) answer.cache = cache_users(call, *l2, kernels);
}

}  // namespace

int32_t memory(Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  Answer answer;
  answer.rank = ranks.front();
  answer.origin_ns = call.args().profile().origin_ns;
  if (const auto samples = call.table(answer.rank, table::memory::kTable)) {
    answer.peaks = memory_peaks(call, *samples);
    answer.memory_file = samples->source_file();
  }
  if (const auto samples = call.table(answer.rank, table::module_memory::kTable)) {
    answer.modules = module_peaks(call, *samples);
    answer.module_file = samples->source_file();
  }
  if (const auto plan = call.table(answer.rank, table::static_memory::kTable)) {
    answer.planned = planned_memory(call, *plan);
  }
  if (const auto blocks = call.table(answer.rank, table::memory_block::kTable)) {
    answer.users = memory_users(call, *blocks);
    answer.block_file = blocks->source_file();
  }
  if (const auto meta = call.table(answer.rank, table::meta::kTable)) answer.capacity_bytes = capacity(call, *meta);
  if (const auto declared = call.args().profile().declared_number("device_memory_bytes");
      declared && !answer.capacity_bytes) {
    answer.capacity_bytes = static_cast<int64_t>(*declared);
    answer.capacity_declared = true;
  }
  read_calls(call, answer);
  return emit(call, answer);
}

}  // namespace stepwise::overview
