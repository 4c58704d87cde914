// Real profiles: the summary files' tables against a naive reading of the same files (here, without the readers' code),
// and against sums that a separate script made with Python's csv, json and decimal modules. Without the profiles the
// test is reported as skipped.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;
namespace kernel = table::kernel;
namespace comm_op = table::comm_op;
namespace op_stat = table::op_stat;

struct Rank {
  explicit Rank(const std::string& path) : path(shared_data() / path) {
    auto layout = discover(this->path);
    REQUIRE(layout.ok());
    REQUIRE(layout.value().ranks.size() == 1);
    number = layout.value().ranks[0].rank;
    CancelFlag cancel;
    ProgressGauge progress;
    REQUIRE(ingest_group(layout.value(), layout.value().ranks[0], table::Group::files, cancel, progress, {},
                         tables.builder())
                .ok());
  }
  template <size_t I>
  std::vector<int64_t>& values(const table::TableDecl& decl, table::Col<table::Type::i64, I> column) {
    return tables.builder().table(decl).values(column);
  }
  template <size_t I>
  int64_t sum(const table::TableDecl& decl, table::Col<table::Type::i64, I> column) {
    int64_t total = 0;
    for (const int64_t value : values(decl, column)) total += value;
    return total;
  }
  std::vector<std::map<std::string, std::string>> csv(const std::string& name) const;

  fs::path path;
  uint32_t number = 0;
  Tables tables;
};

/// Records as maps from column to cell: one character at a time, quotes dropped, ragged records left out.
std::vector<std::map<std::string, std::string>> Rank::csv(const std::string& name) const {
  std::ifstream file(path / "ASCEND_PROFILER_OUTPUT" / name, std::ios::binary);
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (char c = 0; file.get(c);) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      records.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      records.push_back({""});
    } else if (c != '\r') {
      records.back().back() += c;
    }
  }
  std::vector<std::map<std::string, std::string>> out;
  for (size_t i = 1; i < records.size(); ++i) {
    if (records[i].size() != records[0].size()) continue;
    auto& row = out.emplace_back();
    for (size_t cell = 0; cell < records[0].size(); ++cell) row[records[0][cell]] = records[i][cell];
  }
  return out;
}

/// "12.5" -> 12500, by moving digits; at most three decimals.
int64_t digits_of_us(std::string text) {
  while (!text.empty() && text.back() == '\t') text.pop_back();
  const size_t point = text.find('.');
  std::string decimals = point == std::string::npos ? "" : text.substr(point + 1);
  REQUIRE(decimals.size() <= 3);
  decimals.resize(3, '0');
  return std::stoll(text.substr(0, point) + decimals);
}

/// 1736408883704643212 -> "1736408883704643.212", as the profiler prints it.
std::string us_text(int64_t ns) {
  std::string text = std::to_string(ns);
  return text.insert(text.size() - 3, ".");
}

const char* const kAlexnet0 = "npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt";
const char* const kAlexnet1 = "npu-pt-alexnet-ddp-text/level1/rank1_ascend_pt";
const char* const kAlexnetLevel0 = "npu-pt-alexnet-ddp-text/level0/rank0_ascend_pt";
const char* const kLlm0 = "npu-pt-llm-pp2dp2-level2/rank_0_ascend_pt";
const char* const kLlm2 = "npu-pt-llm-pp2dp2-level2/rank_2_ascend_pt";
const char* const kInsight = "npu-insight-fixtures/test_rank_0";

}  // namespace

TEST_CASE("real: alexnet's step 50") {
  Rank rank(kAlexnet0);
  REQUIRE(rank.tables.rows(table::step::kTable) == 1);
  CHECK(rank.tables.row(table::step::kTable, 0,
                        {"step", "computing_ns", "not_overlapped_ns", "overlapped_ns", "communication_ns", "free_ns",
                         "stage_ns", "bubble_ns", "preparing_ns"}) ==
        "50|8873756|101963203|4028675|105991878|25744050|136581000|0|17902500");
  CHECK(rank.tables.losses().empty());
}

TEST_CASE("real: every kernel's start, duration and text equal the file's") {
  for (const char* path : {kAlexnet0, kAlexnet1, kAlexnetLevel0, kLlm0, kLlm2}) {
    INFO(path);
    Rank rank(path);
    const auto rows = rank.csv("kernel_details.csv");
    REQUIRE(rank.tables.rows(kernel::kTable) == rows.size());
    const auto& start = rank.values(kernel::kTable, kernel::start_ns);
    const auto& dur = rank.values(kernel::kTable, kernel::dur_ns);
    const auto& src_pos = rank.values(kernel::kTable, kernel::src_pos);
    uint64_t equal = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto& row = rows[static_cast<size_t>(src_pos[i]) - 1];
      const auto text = [&](const char* column) {
        const auto cell = row.find(column);
        return cell == row.end() || cell->second == "N/A" ? "null" : cell->second;
      };
      equal += us_text(start[i]) + "\t" == row.at("Start Time(us)") && dur[i] == digits_of_us(row.at("Duration(us)")) &&
               rank.tables.row(kernel::kTable, i, {"name", "op_type", "core_type", "task_id", "input_shapes"}) ==
                   text("Name") + "|" + text("Type") + "|" + text("Accelerator Core") + "|" + text("Task ID") + "|" +
                       text("Input Shapes");
    }
    CHECK(equal == rows.size());
    CHECK(std::is_sorted(start.begin(), start.end()));
  }
}

TEST_CASE("real: sums by operator type equal sums over the text") {
  for (const char* path : {kAlexnet0, kAlexnet1, kLlm0, kLlm2}) {
    INFO(path);
    Rank rank(path);
    std::map<std::string, int64_t> from_text, from_table;
    for (const auto& row : rank.csv("kernel_details.csv"))
      from_text[row.at("Type")] += digits_of_us(row.at("Duration(us)"));
    const auto& dur = rank.values(kernel::kTable, kernel::dur_ns);
    for (size_t i = 0; i < dur.size(); ++i) from_table[rank.tables.row(kernel::kTable, i, {"op_type"})] += dur[i];
    CHECK(from_table == from_text);
    // The profiler's own sums differ by what it rounded in each kernel.
    std::map<std::string, int64_t> from_statistic;
    for (uint64_t i = 0; i < rank.tables.rows(op_stat::kTable); ++i) {
      from_statistic[rank.tables.row(op_stat::kTable, i, {"op_type"})] +=
          rank.values(op_stat::kTable, op_stat::total_ns)[i];
    }
    for (const auto& [type, total_ns] : from_statistic) {
      INFO(type);
      CHECK(std::abs(total_ns - from_table[type]) <= 7);
    }
  }
}

TEST_CASE("real: sums that Python's csv and decimal make") {
  struct Expected {
    const char* path;
    uint64_t kernels, communication, api_rows, detail_rows;
    int64_t dur_ns, wait_ns, api_ns, detail_ns;
  };
  for (const Expected& one : {Expected{kAlexnet0, 191, 4, 57, 859, 114865613, 101120641, 123965130, 340579440},
                              Expected{kAlexnet1, 191, 4, 57, 859, 109253559, 96394100, 120842880, 336552110},
                              Expected{kAlexnetLevel0, 191, 4, 0, 859, 94344340, 95191222, 0, 300983620},
                              Expected{kLlm0, 2463, 15, 91, 0, 651464360, 158582630, 1007875340, 0},
                              Expected{kLlm2, 2587, 23, 109, 0, 678097920, 131738640, 1028260580, 0},
                              Expected{kInsight, 20, 4, 0, 2, 37369123, 6599083, 0, 323100}}) {
    INFO(one.path);
    Rank rank(one.path);
    CHECK(rank.tables.rows(kernel::kTable) == one.kernels);
    CHECK(rank.sum(kernel::kTable, kernel::dur_ns) == one.dur_ns);
    CHECK(rank.sum(kernel::kTable, kernel::wait_ns) == one.wait_ns);
    uint64_t communication = 0;
    for (uint64_t i = 0; i < one.kernels; ++i) {
      communication += rank.tables.row(kernel::kTable, i, {"class"}) == "communication";
    }
    CHECK(communication == one.communication);
    CHECK(rank.tables.rows(table::api_stat::kTable) == one.api_rows);
    CHECK(rank.sum(table::api_stat::kTable, table::api_stat::total_ns) == one.api_ns);
    CHECK(rank.tables.rows(table::op_detail::kTable) == one.detail_rows);
    CHECK(rank.sum(table::op_detail::kTable, table::op_detail::host_total_ns) == one.detail_ns);
  }
}

TEST_CASE("real: communication.json as Python's json and decimal read it") {
  struct Expected {
    const char* path;
    uint32_t rank;
    uint64_t ops, links, packets;
    int64_t elapse_ns, start_below_second_ns, bytes, packet_ns;
  };
  for (const Expected& one : {Expected{kAlexnet0, 0, 4, 20, 8, 105991878, 3173222700, 855192192, 27315707},
                              Expected{kAlexnet1, 1, 4, 20, 8, 100375286, 3178801400, 855192192, 27583970},
                              Expected{kLlm0, 0, 15, 75, 13, 420174260, 10819014800, 3533108800, 92973420},
                              Expected{"npu-pt-llm-pp2dp2-level2/rank_1_ascend_pt", 1, 15, 75, 16, 441708380,
                                       10810176600, 3533108848, 92934420},
                              Expected{kLlm2, 2, 23, 115, 19, 277649660, 13782304400, 3533115040, 93023700},
                              Expected{"npu-pt-llm-pp2dp2-level2/rank_3_ascend_pt", 3, 23, 115, 21, 261498440,
                                       13840070100, 3533115104, 92981900},
                              Expected{kInsight, 0, 28, 112, 18, 152254935, 22726966200, 2794686404, 76448423}}) {
    INFO(one.path);
    Rank rank(one.path);
    CHECK(rank.number == one.rank);
    CHECK(rank.tables.rows(comm_op::kTable) == one.ops);
    CHECK(rank.sum(comm_op::kTable, comm_op::elapse_ns) == one.elapse_ns);
    int64_t below_second = 0;
    for (const int64_t start : rank.values(comm_op::kTable, comm_op::start_ns)) below_second += start % 1'000'000'000;
    CHECK(below_second == one.start_below_second_ns);
    CHECK(rank.tables.rows(table::comm_link::kTable) == one.links);
    CHECK(rank.sum(table::comm_link::kTable, table::comm_link::bytes) == one.bytes);
    CHECK(rank.tables.rows(table::comm_packet::kTable) == one.packets);
    CHECK(rank.sum(table::comm_packet::kTable, table::comm_packet::total_ns) == one.packet_ns);
  }
}

TEST_CASE("real: what is lost is told") {
  // One record of this file has 31 cells under 32 names.
  Rank rank(kInsight);
  CHECK(rank.tables.losses() == std::vector<std::string>{"csv.ragged_record 1 @17", "csv.time_rounded 18"});
}

TEST_CASE("real: a directory of several ranks") {
  const auto llm = discover(shared_data() / "npu-pt-llm-pp2dp2-level2");
  REQUIRE(llm.ok());
  REQUIRE(llm.value().ranks.size() == 4);
  for (uint32_t i = 0; i < 4; ++i) CHECK(llm.value().ranks[i].rank == i);
}

}  // namespace stepwise::ingest
