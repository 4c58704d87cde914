#include "core/ingest/timeline/trace_innermost.h"

#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

constexpr uint32_t kNone = Nesting::kNone;
using Rows = std::vector<uint32_t>;

struct Slices {
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

Rows innermost(const Slices& slices, const Slices& outer, AtOneStart rule = AtOneStart::outer_holds) {
  return innermost_running(slices.columns(), outer.columns(), 2, rule);
}

TEST_CASE("the innermost slice that was running") {
  Slices outer, slices;
  outer.add(0, 100);     // 0
  outer.add(5, 500, 1);  // 1
  outer.add(10, 20);     // 2 in 0
  outer.add(30, 10);     // 3 begins where 2 ends
  slices.add(-1, 5);     // before all
  slices.add(15, 500);   // in 2, though it ends later
  slices.add(29, 1);     // in 2 still
  slices.add(30, 0);     // in 3
  slices.add(50, 1);     // in 0 again
  slices.add(99, 1, 1);  // on the other track
  slices.add(100, 1);    // an end is no longer in
  CHECK(innermost(slices, outer) == Rows{kNone, 2, 2, 3, 0, 1, kNone});
  CHECK(innermost(slices, Slices()) == Rows(7, kNone));
  CHECK(innermost(Slices(), outer).empty());
}

TEST_CASE(
    "of slices that overlap without nesting the last to begin is the "
    "innermost") {
  Slices outer, slices;
  outer.add(0, 20);   // 0
  outer.add(10, 20);  // 1 reaches beyond it
  slices.add(15, 1);
  slices.add(25, 1);  // 0 has ended below 1
  slices.add(30, 1);
  CHECK(innermost(slices, outer) == Rows{1, 1, kNone});
}

TEST_CASE("at one start the rule decides whether a shorter one holds a longer one") {
  Slices outer, slices;
  outer.add(10, 50);  // 0
  outer.add(10, 5);   // 1
  slices.add(10, 80);
  slices.add(10, 50);
  slices.add(10, 3);
  slices.add(12, 80);
  CHECK(innermost(slices, outer) == Rows{1, 1, 1, 1});
  CHECK(innermost(slices, outer, AtOneStart::longer_holds) == Rows{kNone, 0, 1, 1});
  // What is empty holds nothing.
  Slices point;
  point.add(10, 0);
  CHECK(innermost(slices, point) == Rows(4, kNone));
}

}  // namespace
}  // namespace stepwise::ingest
