#include "core/ingest/timeline/trace_nesting.h"

#include <initializer_list>

#include "core/ingest/timeline/kineto_test_events.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

constexpr uint32_t kNone = Nesting::kNone;
using Rows = std::vector<uint32_t>;

/// Times in ns.
struct Table {
  std::vector<int64_t> start, dur, position, number;
  std::vector<uint32_t> track;
  std::vector<int32_t> name;
  void add(int64_t s, int64_t d, uint32_t t = 0) {
    start.push_back(s);
    dur.push_back(d);
    track.push_back(t);
    position.push_back(static_cast<int64_t>(position.size()));
  }
  SliceColumns columns() const { return {start, dur, track, position}; }
};

enum Name : int32_t { item, local, select, strided, zeros, empty, zero };

/// Calls in start_order: name, start and length in us, and the number given out when it began.
struct NamedCall {
  Name name;
  int64_t start_us, dur_us, number;
};
Rows parents_of(std::initializer_list<NamedCall> calls, int64_t unit_ns = 1000, bool with_numbers = true) {
  Table table;
  for (const NamedCall& call : calls) {
    table.add(call.start_us * unit_ns, call.dur_us * unit_ns);
    table.name.push_back(call.name);
    if (with_numbers) table.number.push_back(call.number);
  }
  return nest(table.columns(), 1, {.name = table.name, .call_order = table.number}).parent;
}

TEST_CASE("slices nest within their track") {
  Table table;
  table.add(0, 100, 0);  // 0
  table.add(10, 20, 0);  // 1 in 0
  table.add(10, 5, 0);   // 2 in 1
  table.add(12, 5, 1);   // 3 on another track
  table.add(15, 15, 0);  // 4 in 1, ends with it
  table.add(30, 0, 0);   // 5 in 0: 1 has ended
  table.add(99, 1, 0);   // 6 in 0, ends with it
  table.add(100, 5, 0);  // 7 alone: touching is not inside
  const Nesting nesting = nest(table.columns(), 2);
  CHECK(nesting.parent == std::vector<uint32_t>{kNone, 0, 1, kNone, 1, 0, 0, kNone});
  CHECK(nesting.depth == std::vector<uint32_t>{0, 1, 2, 0, 2, 1, 1, 0});
  CHECK(nesting.overflow == std::vector<uint8_t>(8, 0));
  CHECK(nesting.overlapping == 0);
}

TEST_CASE("a slice that reaches beyond an open one lies where it fits, and is counted") {
  Table table;
  table.add(0, 100);  // 0
  table.add(10, 20);  // 1 in 0
  table.add(20, 30);  // 2 reaches beyond 1, fits into 0
  table.add(25, 5);   // 3 in 2
  table.add(90, 20);  // 4 reaches beyond 0
  const Nesting nesting = nest(table.columns(), 1);
  CHECK(nesting.parent == std::vector<uint32_t>{kNone, 0, 0, 2, kNone});
  CHECK(nesting.depth == std::vector<uint32_t>{0, 1, 1, 2, 0});
  CHECK(nesting.overflow == std::vector<uint8_t>{0, 0, 1, 0, 1});
  CHECK(nesting.overlapping == 2);
  CHECK(nesting.first_overlapping_at == 2);
}

TEST_CASE("whole microseconds: what begins at an end lies inside where its like does") {
  // The first item tells where the second one's inner call lies, and that none of another's belongs there.
  CHECK(parents_of({{item, 10, 2, 1},
                    {local, 11, 1, 2},
                    {item, 20, 1, 3},
                    {local, 21, 0, 4},
                    {item, 30, 0, 5},
                    {local, 30, 0, 6},
                    {item, 30, 0, 7},
                    {local, 30, 0, 8}}) == Rows{kNone, 0, kNone, 2, kNone, 4, kNone, 6});
  // One is all that it holds: the next stands behind it.
  CHECK(parents_of(
            {{select, 10, 2, 1}, {strided, 11, 0, 2}, {select, 20, 1, 3}, {strided, 20, 1, 4}, {strided, 21, 0, 5}}) ==
        Rows{kNone, 0, kNone, 2, kNone});
  // With nothing to tell by, touching is not inside.
  CHECK(parents_of({{item, 20, 1, 3}, {local, 21, 0, 4}}) == Rows{kNone, kNone});
  // With a length it would end behind the other.
  CHECK(parents_of({{item, 10, 2, 1}, {local, 11, 1, 2}, {item, 20, 1, 3}, {local, 21, 1, 4}}) ==
        Rows{kNone, 0, kNone, kNone});
}

TEST_CASE("whole microseconds: a name that wraps itself is told by what it lies in") {
  CHECK(parents_of({{zeros, 10, 9, 1},
                    {zeros, 11, 5, 2},
                    {empty, 12, 1, 3},
                    {zero, 14, 1, 4},  // as it is
                    {zeros, 30, 3, 5},
                    {zeros, 31, 2, 6},
                    {empty, 31, 1, 7},
                    {zero, 33, 0, 8}}) == Rows{kNone, 0, 1, 1, kNone, 4, 5, 5});
}

TEST_CASE("whole microseconds: of calls that begin at once, the one that had ended lies before the longer one") {
  // In start_order the longer stands first.
  CHECK(parents_of({{select, 10, 2, 2}, {item, 10, 0, 1}, {strided, 11, 0, 3}}) == Rows{kNone, kNone, 0});
  CHECK(parents_of({{select, 10, 2, 1}, {strided, 10, 0, 2}}) == Rows{kNone, 0});
  CHECK(parents_of({{select, 10, 2, 2}, {item, 10, 0, 1}}, 1000, false) == Rows{kNone, 0});
}

TEST_CASE("numbers that do not grow with the time tell nothing") {
  CHECK(parents_of({{select, 10, 2, 5}, {item, 10, 0, 4}, {strided, 20, 0, 3}}) == Rows{kNone, 0, kNone});
  CHECK(parents_of({{select, 10, 2, -1}, {item, 10, 0, 4}}) == Rows{kNone, 0});
  // The shorter can't have begun first and not ended.
  CHECK(parents_of({{select, 10, 5, 2}, {item, 10, 2, 1}}) == Rows{kNone, 0});
  CHECK(parents_of({{select, 10, 5, 3}, {item, 10, 2, 1}, {strided, 10, 0, 2}}) == Rows{kNone, 0, 1});
}

TEST_CASE("times finer than microseconds mean what they say") {
  CHECK(parents_of({{item, 10, 2, 1}, {local, 11, 1, 2}, {item, 20, 1, 3}, {local, 21, 0, 4}}, 999) ==
        Rows{kNone, 0, kNone, kNone});
}

TEST_CASE("a trace of whole microseconds says what lies in what, on whatever origin") {
  const auto op = [](const char* name, const char* ts, const char* dur, const char* id) {
    return slice("cpu_op", name, "7", "7", ts, dur, std::string("\"External id\": ") + id);
  };
  // The inner one of two with the same times stands first in the file.
  const auto read =
      read_kineto_text(trace_of({op("aten::_local_scalar_dense", "11", "1", "2"), op("aten::item", "11", "1", "1"),
                                 op("aten::item", "20", "1", "3"), op("aten::_local_scalar_dense", "21", "0", "4"),
                                 op("aten::select", "30", "2", "6"), op("aten::size", "30", "0", "5")},
                                R"("baseTimeNanoseconds": 1500000000000000123)"));
  namespace host_op = table::host_op;
  CHECK(read->texts(host_op::kTable, host_op::name) ==
        std::vector<std::string>{"aten::item", "aten::_local_scalar_dense", "aten::item", "aten::_local_scalar_dense",
                                 "aten::select", "aten::size"});
  CHECK(read->nullable(host_op::kTable, host_op::parent_id) == std::vector<int64_t>{-999, 0, -999, 2, -999, -999});
  CHECK(read->values(host_op::kTable, host_op::depth) == std::vector<int64_t>{0, 1, 0, 1, 0, 0});
}

}  // namespace
}  // namespace stepwise::ingest
