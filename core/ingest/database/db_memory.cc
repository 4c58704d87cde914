#include "core/ingest/database/db_memory.h"

#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/base/text.h"
#include "core/ingest/base/memory_rows.h"
#include "core/ingest/base/table_order.h"
#include "core/ingest/database/db_figures.h"
#include "core/ingest/database/db_memory_events.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

namespace memory = table::memory;
namespace module_memory = table::module_memory;

constexpr const char* kBeyond = "lacks a name, an instant or a size, or holds one beyond belief";

std::optional<std::string> device_of(std::optional<int64_t> device) {
  return device ? std::optional(npu_name(*device)) : std::nullopt;
}

void read_records(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                  store::TableBuilder& out) {
  DbRows rows(database, "MEMORY_RECORD",
              {required("component"),
               required("timestamp"),
               {"totalAllocated"},
               {"totalReserved"},
               {"totalActive"},
               {"streamPtr"},
               {"deviceId"}},
              file, context);
  while (rows.next()) {
    DbFigures figures(rows);
    const auto component = strings.find(rows.integer(0));
    const auto ts_ns = figures.instant_ns(1), allocated = figures.bytes(2), reserved = figures.bytes(3);
    // The graph engine does not tell what is active; the exporter writes 0 for it.
    const auto active = component == "GE" ? std::nullopt : figures.bytes(4);
    if (!component || !ts_ns || !figures.are_good()) {
      rows.leave_out(kBeyond);
      continue;
    }
    out.append(memory::component, *component);
    out.append(memory::ts_ns, *ts_ns);
    out.append_or_null(memory::allocated_bytes, allocated);
    out.append_or_null(memory::reserved_bytes, reserved);
    out.append_or_null(memory::active_bytes, active);
    out.append_or_null(memory::stream, rows.integer(5));
    out.append_or_null(memory::device, device_of(rows.integer(6)));
    out.append(memory::src_pos, rows.number());
    out.end_row();
  }
}

void read_samples(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                  store::TableBuilder& out) {
  DbRows rows(database, "NPU_MEM",
              {required("type"), required("ddr"), required("hbm"), required("timestampNs"), {"deviceId"}}, file,
              context);
  const DbMemoryWords words(database, strings, file, context);
  while (rows.next()) {
    DbFigures figures(rows);
    const std::string event = words.find(rows.integer(0));
    const auto ddr = figures.bytes(1), hbm = figures.bytes(2), ts_ns = figures.instant_ns(3);
    if (event.empty() || !ddr || !hbm || !ts_ns || !figures.are_good()) {
      rows.leave_out(kBeyond);
      continue;
    }
    const std::string device = device_of(rows.integer(4)).value_or("");
    append_sample({event, device, *ts_ns, *ddr + *hbm, rows.number()}, out);
  }
}

}  // namespace

void fill_memory(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                 store::SegmentBuilder& out) {
  store::TableBuilder& rows = out.table(memory::kTable);
  out.set_source_file(memory::kTable, file);
  if (database.has("MEMORY_RECORD")) {
    read_records(database, strings, file, context, rows);
  } else {
    fill_from_memory_events(database, strings, file, context, rows);
  }
  read_samples(database, strings, file, context, rows);
  if (rows.rows() == 0) return out.drop(memory::kTable);
  sort_rows(rows);
}

void fill_module_memory(Database& database, const std::string& file, IngestContext& context,
                        store::SegmentBuilder& out) {
  std::unordered_map<int64_t, std::string> names;
  DbRows modules(database, "ENUM_MODULE", {required("id"), required("name")}, file, context);
  while (modules.next()) {
    const auto id = modules.integer(0);
    const auto name = modules.text(1);
    if (id && name) names.emplace(*id, to_valid_utf8(*name));
  }
  DbRows samples(database, "NPU_MODULE_MEM",
                 {required("moduleId"), required("timestampNs"), required("totalReserved"), {"deviceId"}}, file,
                 context);
  store::TableBuilder& rows = out.table(module_memory::kTable);
  out.set_source_file(module_memory::kTable, file);
  while (samples.next()) {
    DbFigures figures(samples);
    const auto id = samples.integer(0);
    const auto ts_ns = figures.instant_ns(1), reserved = figures.bytes(2);
    if (!id || !ts_ns || !figures.are_good()) {
      samples.leave_out(kBeyond);
      continue;
    }
    const auto name = names.find(*id);
    rows.append(module_memory::component, name == names.end() ? "module " + std::to_string(*id) : name->second);
    rows.append(module_memory::ts_ns, *ts_ns);
    rows.append_or_null(module_memory::reserved_bytes, reserved);
    rows.append_or_null(module_memory::device, device_of(samples.integer(3)));
    rows.append(module_memory::src_pos, samples.number());
    rows.end_row();
  }
  if (rows.rows() == 0) return out.drop(module_memory::kTable);
  sort_rows(rows);
}

}  // namespace stepwise::ingest
