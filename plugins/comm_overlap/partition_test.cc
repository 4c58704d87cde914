#include "partition.h"

#include <limits>

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::comm_overlap;

TEST_CASE("computation hides communication, both hide copies, and the parts add up to the span") {
  // computing [0,100) and [90,150) = 150; communication [120,220): 30 hidden, 70 exposed; copies [200,260): 40 exposed;
  // idle [260,300)
  const Work work{{{90, 150}, {0, 100}}, {{120, 220}}, {{200, 260}}};
  REQUIRE(extent(work) == Interval{0, 260});
  const Partition parts = partition(work, {0, 300});
  CHECK(parts.computing == Intervals{{0, 150}});
  CHECK(parts.overlapped == Intervals{{120, 150}});
  CHECK(parts.exposed_communication == Intervals{{150, 220}});
  CHECK(parts.exposed_copies == Intervals{{220, 260}});
  CHECK(parts.idle == Intervals{{260, 300}});
  const Breakdown sum = sum_of(parts);
  CHECK(sum.communication_ns() == 100);
  CHECK(sum.computing_ns + sum.not_overlapped_ns + sum.copy_not_overlapped_ns + sum.free_ns == sum.wall_ns);
}

TEST_CASE("intervals that touch stay apart, those that overlap do not") {
  const Partition parts = partition({{{0, 10}, {10, 20}, {15, 30}}, {}, {}}, {0, 30});
  CHECK(parts.computing == Intervals{{0, 10}, {10, 30}});
  CHECK(parts.idle.empty());
}

TEST_CASE("without work there is no extent; nothing of a span is idle all along") {
  CHECK_FALSE(extent(Work{}).has_value());
  CHECK(partition(Work{}, {5, 9}).idle == Intervals{{5, 9}});
}

TEST_CASE("sums over windows saturate instead of wrapping") {
  Breakdown sum, huge;
  huge.wall_ns = std::numeric_limits<int64_t>::max() - 1;
  sum.add(huge);
  sum.add(huge);
  CHECK(sum.wall_ns == std::numeric_limits<int64_t>::max());
}
