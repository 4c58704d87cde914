#include "core/ingest/timeline/kineto_memory.h"

#include <optional>
#include <string>
#include <string_view>

#include "core/base/limits.h"
#include "stepwise/tables_device.hpp"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace counter = table::counter;
namespace memory = table::memory;

constexpr std::string_view kPrefix = "[memory] ", kDevice = "device ";

struct Totals {
  std::optional<int64_t> allocated, reserved;
};

void append(const store::TableBuilder& counters, const store::Dictionary& texts, uint64_t row, const Totals& totals,
            store::TableBuilder& out) {
  const std::string allocator(texts.at(counters.column(counter::name).code[row]).substr(kPrefix.size()));
  out.append(memory::component, allocator);
  out.append(memory::ts_ns, counters.column(counter::ts_ns).i64[row]);
  out.append_or_null(memory::allocated_bytes, totals.allocated);
  out.append_or_null(memory::reserved_bytes, totals.reserved);
  out.null(memory::active_bytes);
  out.null(memory::stream);
  const bool is_gpu = allocator.starts_with(kDevice);
  out.append_or_null(memory::device, is_gpu ? std::optional("GPU:" + allocator.substr(kDevice.size())) : std::nullopt);
  out.append(memory::src_pos, counters.column(counter::src_pos).i64[row]);
  out.end_row();
}

}  // namespace

void fill_allocator_memory(store::SegmentBuilder& out) {
  if (!out.has(counter::kTable)) return;
  const store::TableBuilder& counters = out.table(counter::kTable);
  store::Dictionary& texts = out.dictionary();
  store::TableBuilder& rows = out.table(memory::kTable);
  const auto& position = counters.column(counter::src_pos).i64;
  Totals totals;
  for (uint64_t row = 0; row < counters.rows(); ++row) {
    if (!texts.at(counters.column(counter::name).code[row]).starts_with(kPrefix)) continue;
    const std::string_view series = texts.at(counters.column(counter::series).code[row]);
    const double bytes = counters.column(counter::value).f64[row];
    const bool is_known = bytes >= 0 && bytes <= static_cast<double>(limits::kMaxCount);
    const auto known = is_known ? std::optional(static_cast<int64_t>(bytes)) : std::nullopt;
    if (series == "Total Allocated") totals.allocated = known;
    if (series == "Total Reserved") totals.reserved = known;
    // An event's samples stand together: they have one time.
    const bool is_last = row + 1 == counters.rows() || position[row + 1] != position[row];
    if (is_last && (totals.allocated || totals.reserved)) append(counters, texts, row, totals, rows);
    if (is_last) totals = {};
  }
  if (rows.rows() == 0) return out.drop(memory::kTable);
  out.set_source_file(memory::kTable, out.source_file(counter::kTable));
}

}  // namespace stepwise::ingest
