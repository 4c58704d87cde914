#include "stepwise/intervals.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "tests/catch.h"

using namespace stepwise;

namespace {

/// One flag a nanosecond in [0, kAxis): what the sets mean, without any cleverness.
constexpr int64_t kAxis = 60;
std::vector<bool> flags(const Intervals& intervals) {
  std::vector<bool> on(kAxis);
  for (const Interval& one : intervals) {
    for (int64_t at = one.start_ns; at < one.end_ns; ++at) on[static_cast<size_t>(at)] = true;
  }
  return on;
}

bool is_united(const Intervals& intervals) {
  for (size_t i = 0; i < intervals.size(); ++i) {
    if (intervals[i].start_ns >= intervals[i].end_ns) return false;
    if (i > 0 && intervals[i - 1].end_ns >= intervals[i].start_ns) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("unite sorts, joins what overlaps or touches, drops what is empty") {
  CHECK(unite({}).empty());
  CHECK(unite({{5, 5}, {7, 3}}).empty());
  CHECK(unite({{4, 6}, {0, 2}}) == Intervals{{0, 2}, {4, 6}});
  CHECK(unite({{0, 2}, {2, 4}}) == Intervals{{0, 4}});
  CHECK(unite({{0, 10}, {2, 4}, {9, 12}}) == Intervals{{0, 12}});
  CHECK(unite({{0, 1}, {5, 5}, {1, 2}}) == Intervals{{0, 2}});
}

TEST_CASE("intersect and subtract") {
  const Intervals a{{0, 10}, {20, 30}}, b{{5, 8}, {9, 25}, {40, 50}};
  CHECK(intersect(a, b) == Intervals{{5, 8}, {9, 10}, {20, 25}});
  CHECK(intersect(b, a) == intersect(a, b));
  CHECK(subtract(a, b) == Intervals{{0, 5}, {8, 9}, {25, 30}});
  CHECK(subtract(b, a) == Intervals{{10, 20}, {40, 50}});
  CHECK(subtract(a, {}) == a);
  CHECK(subtract({}, a).empty());
  CHECK(intersect({{0, 5}}, {{5, 9}}).empty());
  CHECK(subtract({{0, 1}, {2, 3}, {4, 5}}, {{0, 9}}).empty());
}

TEST_CASE("total_ns") {
  CHECK(total_ns({}) == 0);
  CHECK(total_ns({{0, 5}, {8, 9}}) == 6);
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
  CHECK(total_ns({{kMin, kMax}}) == kMax);
  CHECK(total_ns({{kMin, -1}, {0, kMax}}) == kMax);
}

TEST_CASE("random sets agree with flags on an axis") {
  std::mt19937 random(1);
  std::uniform_int_distribution<int64_t> where(0, kAxis - 12), length(0, 11);
  std::uniform_int_distribution<size_t> count(0, 12);
  const auto draw = [&] {
    Intervals drawn(count(random));
    for (Interval& one : drawn) {
      one.start_ns = where(random);
      one.end_ns = one.start_ns + length(random);
    }
    return drawn;
  };
  for (int round = 0; round < 500; ++round) {
    const Intervals raw_a = draw(), raw_b = draw();
    const Intervals a = unite(raw_a), b = unite(raw_b);
    const std::vector<bool> on_a = flags(raw_a), on_b = flags(raw_b);
    REQUIRE(flags(a) == on_a);
    std::vector<bool> both(kAxis), left(kAxis);
    for (size_t i = 0; i < both.size(); ++i) {
      both[i] = on_a[i] && on_b[i];
      left[i] = on_a[i] && !on_b[i];
    }
    REQUIRE(flags(intersect(a, b)) == both);
    REQUIRE(flags(subtract(a, b)) == left);
    REQUIRE(is_united(a));
    REQUIRE(is_united(subtract(a, b)));
    REQUIRE(total_ns(a) == std::count(on_a.begin(), on_a.end(), true));
  }
}
