#include "core/ingest/database/db_memory_events.h"

#include <list>
#include <map>
#include <tuple>

#include "core/base/text.h"
#include "core/ingest/base/memory_block_row.h"
#include "core/ingest/base/memory_rows.h"
#include "core/ingest/database/db_figures.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

struct Event {
  std::string what;  // "allocate", "release"
  std::optional<int64_t> name, address, device, component, allocated, reserved;
  int64_t bytes = 0, ts_ns = 0, row = 0;
};

/// Calls take(Event) for each row that makes sense.
template <class Take>
void read_events(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                 const Take& take) {
  DbRows rows(database, "NPU_OP_MEM",
              {required("operatorName"),
               required("addr"),
               required("type"),
               required("size"),
               required("timestampNs"),
               {"totalAllocate"},
               {"totalReserve"},
               {"component"},
               {"deviceId"}},
              file, context);
  if (!rows.is_there()) return;
  const DbMemoryWords words(database, strings, file, context);
  while (rows.next()) {
    DbFigures figures(rows);
    Event event;
    event.what = words.find(rows.integer(2));
    const auto bytes = figures.bytes(3), ts_ns = figures.instant_ns(4);
    event.name = rows.integer(0);
    event.address = rows.integer(1);
    event.allocated = figures.bytes(5);
    event.reserved = figures.bytes(6);
    event.component = rows.integer(7);
    event.device = rows.integer(8);
    if ((event.what != "allocate" && event.what != "release") || !bytes || !ts_ns || !figures.are_good()) {
      rows.leave_out("is no allocation or release, or lacks size or instant");
      continue;
    }
    event.bytes = *bytes;
    event.ts_ns = *ts_ns;
    event.row = rows.number();
    take(event);
  }
}

}  // namespace

DbMemoryWords::DbMemoryWords(Database& database, const DbStrings& strings, const std::string& file,
                             IngestContext& context)
    : strings_(strings) {
  DbRows rows(database, "ENUM_MEMORY", {required("id"), required("name")}, file, context);
  while (rows.next()) {
    const auto id = rows.integer(0);
    const auto name = rows.text(1);
    if (id && name) by_id_.emplace(*id, to_valid_utf8(*name));
  }
}

std::string DbMemoryWords::find(std::optional<int64_t> id) const {
  if (by_id_.empty()) return std::string(strings_.find(id).value_or(""));
  const auto found = id ? by_id_.find(*id) : by_id_.end();
  return found == by_id_.end() ? "" : found->second;
}

void fill_from_memory_events(Database& database, const DbStrings& strings, const std::string& file,
                             IngestContext& context, store::TableBuilder& rows) {
  namespace memory = table::memory;
  read_events(database, strings, file, context, [&](const Event& event) {
    rows.append(memory::component, strings.find(event.component).value_or("GE"));
    rows.append(memory::ts_ns, event.ts_ns);
    rows.append_or_null(memory::allocated_bytes, event.allocated);
    rows.append_or_null(memory::reserved_bytes, event.reserved);
    rows.null(memory::active_bytes);
    rows.null(memory::stream);
    rows.append_or_null(memory::device, event.device ? std::optional(npu_name(*event.device)) : std::nullopt);
    rows.append(memory::src_pos, event.row);
    rows.end_row();
  });
}

void pair_memory_events(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                        store::TableBuilder& blocks) {
  std::list<MemoryBlockRow> open;
  using Key = std::tuple<std::optional<int64_t>, std::optional<int64_t>, std::optional<int64_t>>;
  std::map<Key, std::list<MemoryBlockRow>::iterator> by_place;
  read_events(database, strings, file, context, [&](const Event& event) {
    const auto [it, is_new] = by_place.try_emplace({event.name, event.address, event.device}, open.end());
    MemoryBlockRow block;
    block.name = strings.find(event.name).value_or("");
    block.bytes = event.bytes;
    block.device = event.device;
    block.src_pos = event.row;
    if (event.what == "allocate") {
      block.alloc_ns = event.ts_ns;
      block.alloc_allocated = event.allocated;
      block.alloc_reserved = event.reserved;
      it->second = open.insert(open.end(), std::move(block));  // one before it stays: its release was not seen
      return;
    }
    if (!is_new) block = *it->second;
    block.release_ns = event.ts_ns;
    if (block.alloc_ns && *block.alloc_ns <= event.ts_ns) block.dur_ns = event.ts_ns - *block.alloc_ns;
    block.release_allocated = event.allocated;
    block.release_reserved = event.reserved;
    block.append_to(blocks);
    if (!is_new) open.erase(it->second);
    by_place.erase(it);
  });
  for (const MemoryBlockRow& block : open) block.append_to(blocks);
}

}  // namespace stepwise::ingest
