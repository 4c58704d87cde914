// Real profiles: memory, from text files and from databases, against sums that a separate script made with Python's
// csv, fractions and sqlite3 modules. Without the profiles the test is reported as skipped.
#include <algorithm>
#include <set>
#include <string>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace memory = table::memory;
namespace block = table::memory_block;
namespace module_memory = table::module_memory;

struct Rank {
  explicit Rank(const std::string& path) {
    auto layout = discover(shared_data() / path);
    REQUIRE(layout.ok());
    CancelFlag cancel;
    ProgressGauge progress;
    REQUIRE(ingest_group(layout.value(), layout.value().ranks.at(0), table::Group::files, cancel, progress, {},
                         tables.builder())
                .ok());
  }
  /// Of rows whose component is not `without`.
  template <size_t I>
  int64_t sum(const table::TableDecl& decl, table::Col<table::Type::i64, I> column, const std::string& without = "") {
    int64_t total = 0;
    for (uint64_t row = 0; row < tables.rows(decl); ++row) {
      const bool is_left_out = !without.empty() && tables.row(decl, row, {"component"}) == without;
      if (!is_left_out) total += tables.builder().table(decl).values(column)[row];
    }
    return total;
  }
  template <size_t I>
  uint64_t nulls(const table::TableDecl& decl, table::Col<table::Type::i64, I> column) {
    return tables.builder().table(decl).column(column).null_count;
  }

  Tables tables;
};

struct Expected {
  const char* path;
  uint64_t records;
  int64_t allocated, reserved, active;
  uint64_t unknown_active;
  int64_t peak_allocated, peak_reserved;
  uint64_t blocks;
  int64_t block_bytes, block_ns;
  uint64_t unreleased;
  uint64_t modules;
  int64_t module_bytes;
};
constexpr Expected kExpected[] = {
    {"npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt", 1004, 949846394880, 1411548520448, 944792174592, 128, 1322299392,
     2216407040, 184, 1495289344, 540491000, 24, 1078, 29716402176},
    {"npu-pt-llm-pp2dp2-level2/rank_2_ascend_pt", 19396, 115590854278144, 221111147921408, 115590854278144, 40,
     11343561216, 13291089920, 3226, 54780771840, 80750329310, 5, 3465, 593530490880},
    {"npu-insight-fixtures/test_rank_0", 11, 28939786240, 78809661440, 0, 11, 4823308800, 11769610240, 28, 349306880,
     2041680, 0, 78, 247903563776},
};

}  // namespace

TEST_CASE("real: memory files give every byte and ns of the text") {
  for (const Expected& one : kExpected) {
    INFO(one.path);
    Rank rank(one.path);
    CHECK(rank.tables.rows(memory::kTable) == one.records);
    CHECK(rank.sum(memory::kTable, memory::allocated_bytes) == one.allocated);
    CHECK(rank.sum(memory::kTable, memory::reserved_bytes) == one.reserved);
    CHECK(rank.sum(memory::kTable, memory::active_bytes) == one.active);
    CHECK(rank.nulls(memory::kTable, memory::active_bytes) == one.unknown_active);
    const auto& allocated = rank.tables.builder().table(memory::kTable).values(memory::allocated_bytes);
    CHECK(*std::max_element(allocated.begin(), allocated.end()) == one.peak_allocated);
    const auto& reserved = rank.tables.builder().table(memory::kTable).values(memory::reserved_bytes);
    CHECK(*std::max_element(reserved.begin(), reserved.end()) == one.peak_reserved);
    CHECK(rank.tables.rows(block::kTable) == one.blocks);
    CHECK(rank.sum(block::kTable, block::bytes) == one.block_bytes);
    CHECK(rank.sum(block::kTable, block::dur_ns) == one.block_ns);
    CHECK(rank.nulls(block::kTable, block::release_ns) == one.unreleased);
    CHECK(rank.tables.rows(module_memory::kTable) == one.modules);
    CHECK(rank.sum(module_memory::kTable, module_memory::reserved_bytes) == one.module_bytes);
  }
}

TEST_CASE("real: L2 hits of every task") {
  namespace l2_cache = table::l2_cache;
  Rank rank(kExpected[0].path);
  REQUIRE(rank.tables.rows(l2_cache::kTable) == 179);
  const store::TableBuilder& rows = rank.tables.builder().table(l2_cache::kTable);
  CHECK(rows.column(l2_cache::hit_ratio).null_count == 179);
  double victims = 0;
  for (const double ratio : rows.column(l2_cache::victim_ratio).f64) victims += ratio;
  CHECK(victims == Approx(22.300258));
}

TEST_CASE("real: memory out of torch_npu's database, as the text files of the same model have it") {
  Rank rank("npu-pt-alexnet-ddp-db/level1/rank0_ascend_pt");
  CHECK(rank.tables.rows(memory::kTable) == 990 + 28);
  CHECK(rank.sum(memory::kTable, memory::allocated_bytes) == 956643449856);
  CHECK(rank.sum(memory::kTable, memory::reserved_bytes) == 1380453449728 + 31016644608 + 34530889728);
  CHECK(rank.sum(memory::kTable, memory::reserved_bytes, "DEVICE") == 1380453449728 + 31016644608);
  CHECK(rank.sum(memory::kTable, memory::active_bytes) == 951701520384);
  CHECK(rank.nulls(memory::kTable, memory::active_bytes) == 114 + 28);  // of GE, APP and DEVICE
  CHECK(rank.tables.rows(block::kTable) == 184);
  CHECK(rank.sum(block::kTable, block::bytes) == 1495289344);
  CHECK(rank.sum(block::kTable, block::dur_ns) == 552396700);
  CHECK(rank.sum(block::kTable, block::release_allocated_bytes) == 111723228672);
  CHECK(rank.nulls(block::kTable, block::release_ns) == 24);
  CHECK(rank.tables.rows(module_memory::kTable) == 1078);
  CHECK(rank.sum(module_memory::kTable, module_memory::reserved_bytes) == 29716402176);

  Rank text(kExpected[0].path);  // another run of it: names and sizes are the same
  const auto named = [](Rank& one) {
    std::multiset<std::string> out;
    for (uint64_t i = 0; i < one.tables.rows(block::kTable); ++i) {
      out.insert(one.tables.row(block::kTable, i, {"name", "bytes", "device"}));
    }
    return out;
  };
  CHECK(named(rank) == named(text));
}

TEST_CASE("real: memory out of msprof's database, whose allocations and releases are joined") {
  Tables tables;
  read_into(tables, read_profiler_db, shared_data() / "npu-insight-fixtures/full_db/msprof_0.db", 1);
  REQUIRE(tables.rows(memory::kTable) == 494);
  REQUIRE(tables.rows(block::kTable) == 248);  // one was not released, one not allocated while it was recorded
  const store::TableBuilder& blocks = tables.builder().table(block::kTable);
  CHECK(blocks.column(block::release_ns).null_count == 1);
  CHECK(blocks.column(block::alloc_ns).null_count == 1);
  int64_t total_ns = 0;
  for (const int64_t dur_ns : blocks.column(block::dur_ns).i64) total_ns += dur_ns;
  CHECK(total_ns == 138714810);
}

}  // namespace stepwise::ingest
