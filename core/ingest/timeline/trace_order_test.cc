#include "core/ingest/timeline/trace_order.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

struct Table {
  std::vector<int64_t> start, dur, position;
  std::vector<uint32_t> track;
  void add(int64_t s, int64_t d, uint32_t t = 0) {
    start.push_back(s);
    dur.push_back(d);
    track.push_back(t);
    position.push_back(static_cast<int64_t>(position.size()));
  }
  SliceColumns columns() const { return {start, dur, track, position}; }
};

std::vector<uint32_t> by_std_sort(const Table& table) {
  std::vector<uint32_t> rows(table.start.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(table.start[a], -table.dur[a], table.position[a]) <
           std::tuple(table.start[b], -table.dur[b], table.position[b]);
  });
  return rows;
}

TEST_CASE("rows take the places that an order gives them") {
  std::mt19937 random(7);
  for (const size_t count : {1u, 2u, 3u, 64u, 65u, 1000u}) {
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    for (int round = 0; round < 20; ++round) {
      // Few rows that change places, as in a real file, up to all of them.
      for (int swaps = 0; swaps < round * round; ++swaps) std::swap(order[random() % count], order[random() % count]);
      std::vector<int64_t> values, expected;
      for (size_t row = 0; row < count; ++row) values.push_back(static_cast<int64_t>(random() % 50));
      for (const uint32_t from : order) expected.push_back(values[from]);
      reorder(values, order);
      CHECK(values == expected);
    }
  }
}

TEST_CASE("slices in order need no new one") {
  Table table;
  CHECK(start_order(table.columns()).empty());
  table.add(5, 10);
  CHECK(start_order(table.columns()).empty());
  table.add(5, 3);
  table.add(5, 3);
  table.add(9, 0);
  CHECK(start_order(table.columns()).empty());
}

TEST_CASE("at one start the longer stands first, then the one that the file has first") {
  Table table;
  table.add(7, 1);
  table.add(5, 3);
  table.add(5, 9);
  table.add(5, 3);
  CHECK(start_order(table.columns()) == std::vector<uint32_t>{2, 1, 3, 0});
}

TEST_CASE("of two with one start and one length the one with the smaller number began first") {
  Table table;
  table.add(5, 3);
  table.add(5, 3);
  table.add(5, 9);
  CHECK(start_order(table.columns(), std::vector<int64_t>{8, 7, 9}) == std::vector<uint32_t>{2, 1, 0});
  CHECK(start_order(table.columns(), std::vector<int64_t>{7, 7, 9}) == std::vector<uint32_t>{2, 0, 1});
}

TEST_CASE("any order is sorted as by comparing: nearly sorted, reversed, shuffled") {
  std::mt19937 random(17);
  for (int round = 0; round < 300; ++round) {
    Table table;
    const int count = static_cast<int>(random() % 400);
    for (int i = 0; i < count; ++i) {
      const int64_t base = round % 3 == 0   ? i * 10
                           : round % 3 == 1 ? (count - i) * 10
                                            : static_cast<int64_t>(random() % 50);
      table.add(base - static_cast<int64_t>(random() % 30), static_cast<int64_t>(random() % 4));
    }
    const std::vector<uint32_t> expected = by_std_sort(table), order = start_order(table.columns());
    if (order.empty()) {
      CHECK(std::is_sorted(expected.begin(), expected.end()));
    } else {
      CHECK(order == expected);
    }
  }
}

TEST_CASE("a large reversed table is sorted too") {
  Table table;
  for (int i = 0; i < 20'000; ++i) table.add(-i, 1);
  CHECK(start_order(table.columns()) == by_std_sort(table));
}

TEST_CASE("rows at one time keep their order") {
  CHECK(time_order(std::vector<int64_t>{3, 1, 3, 1, 2}) == std::vector<uint32_t>{1, 3, 4, 0, 2});
  CHECK(time_order(std::vector<int64_t>{1, 1, 2}).empty());
}

TEST_CASE("memory that is given back is gone") {
  std::vector<int64_t> column;
  for (int64_t row = 0; row < 1000; ++row) append_row(column, row);
  give_back(column);
  CHECK(column.empty());
  CHECK(column.capacity() == 0);
}

}  // namespace
}  // namespace stepwise::ingest
