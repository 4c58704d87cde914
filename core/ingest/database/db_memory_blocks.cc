#include "core/ingest/base/memory_block_row.h"
#include "core/ingest/database/db_figures.h"
#include "core/ingest/database/db_memory.h"
#include "core/ingest/database/db_memory_events.h"
#include "stepwise/tables_memory.hpp"

namespace stepwise::ingest {
namespace {

/// Strings of the framework have numbers from here on. The others are the graph engine's: the text files call its
/// operators cann::NAME.
constexpr int64_t kFirstOfFramework = int64_t{1} << 28;

void read_blocks(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                 store::TableBuilder& out) {
  DbRows rows(database, "OP_MEMORY",
              {required("name"),
               required("size"),
               {"allocationTime"},
               {"releaseTime"},
               {"activeReleaseTime"},
               {"duration"},
               {"activeDuration"},
               {"allocationTotalAllocated"},
               {"allocationTotalReserved"},
               {"allocationTotalActive"},
               {"releaseTotalAllocated"},
               {"releaseTotalReserved"},
               {"releaseTotalActive"},
               {"streamPtr"},
               {"deviceId"}},
              file, context);
  while (rows.next()) {
    DbFigures figures(rows);
    MemoryBlockRow block;
    const auto id = rows.integer(0);
    const auto name = strings.find(id);
    const auto bytes = figures.bytes(1);
    block.alloc_ns = figures.instant_ns(2);
    block.release_ns = figures.instant_ns(3);
    block.active_release_ns = figures.instant_ns(4);
    block.dur_ns = figures.duration_ns(5);
    block.active_dur_ns = figures.duration_ns(6);
    block.alloc_allocated = figures.bytes(7);
    block.alloc_reserved = figures.bytes(8);
    block.alloc_active = figures.bytes(9);
    block.release_allocated = figures.bytes(10);
    block.release_reserved = figures.bytes(11);
    block.release_active = figures.bytes(12);
    block.stream = rows.integer(13);
    block.device = rows.integer(14);
    block.src_pos = rows.number();
    if (!name || !bytes || !figures.are_good()) {
      rows.leave_out("lacks a name or a size, or holds a figure beyond belief");
      continue;
    }
    block.name = (*id < kFirstOfFramework ? "cann::" : "") + std::string(*name);
    block.bytes = *bytes;
    block.append_to(out);
  }
}

}  // namespace

void fill_memory_blocks(Database& database, const DbStrings& strings, const std::string& file, IngestContext& context,
                        store::SegmentBuilder& out) {
  namespace memory_block = table::memory_block;
  store::TableBuilder& rows = out.table(memory_block::kTable);
  out.set_source_file(memory_block::kTable, file);
  if (database.has("OP_MEMORY")) {
    read_blocks(database, strings, file, context, rows);
  } else {
    pair_memory_events(database, strings, file, context, rows);
  }
  if (rows.rows() == 0) out.drop(memory_block::kTable);
}

}  // namespace stepwise::ingest
