#include "protocol/mcp/progress.h"

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;

namespace {

double advance(ProgressSequence& sequence, uint64_t done, uint64_t total, const char* phase) {
  const auto step = sequence.next({done, total, phase});
  REQUIRE(step);
  return step->progress;
}

}  // namespace

TEST_CASE("progress is what was done, with the total where there is one") {
  ProgressSequence sequence;
  auto step = sequence.next({0, 10, "reading"});
  REQUIRE(step);
  CHECK(step->progress == 0);
  CHECK(*step->total == 10);
  CHECK(step->message == "reading");
  step = sequence.next({4, 0, "reading"});
  REQUIRE(step);
  CHECK(step->progress == 4);
  CHECK_FALSE(step->total);
}

TEST_CASE("a value that has not grown still moves, by less than a unit") {
  ProgressSequence sequence;
  CHECK(advance(sequence, 5, 10, "reading") == 5);
  CHECK(advance(sequence, 5, 10, "reading") == 5.5);
  CHECK(advance(sequence, 5, 10, "reading") == 5.75);
  CHECK(advance(sequence, 6, 10, "reading") == 6);
}

TEST_CASE("a later phase counts on from where the last ended") {
  ProgressSequence sequence;
  CHECK(advance(sequence, 100, 100, "reading") == 100);
  const auto step = sequence.next({3, 8, "analyzing"});
  REQUIRE(step);
  CHECK(step->progress == 103);
  CHECK(*step->total == 108);
  CHECK(step->message == "analyzing");
}

TEST_CASE("a phase that begins again does not go back") {
  ProgressSequence sequence;
  CHECK(advance(sequence, 50, 50, "rank") == 50);
  CHECK(advance(sequence, 10, 50, "rank") == 60);
  CHECK(advance(sequence, 20, 50, "rank") == 70);
}

TEST_CASE("progress grows strictly until a double can say no more") {
  ProgressSequence sequence;
  double last = advance(sequence, 1'000'000'000'000, 0, "x");
  int steps = 0;
  while (const auto step = sequence.next({1'000'000'000'000, 0, "x"})) {
    REQUIRE(step->progress > last);
    last = step->progress;
    REQUIRE(++steps < 100);
  }
  CHECK(last < 1'000'000'000'001);
  CHECK(advance(sequence, 1'000'000'000'001, 0, "x") == 1'000'000'000'001);
}
