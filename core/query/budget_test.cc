// What stops a query by time: its own work, and, much later, the machine's.
#include "core/query/budget.h"

#include "tests/catch.h"

namespace stepwise::query {

TEST_CASE("a query that waits for a busy machine is not stopped for it, but not kept for ever") {
  ManualClock work, wall;
  const CancelFlag cancel;
  Budget budget({}, cancel, {work, wall});
  wall.advance(limits::kTime + std::chrono::seconds(1));
  CHECK(budget.poll());
  wall.advance(limits::kWallTime);
  CHECK_FALSE(budget.poll());
  CHECK(budget.why() == Stop::wall_time);
}

TEST_CASE("a query is stopped by its own work") {
  ManualClock work, wall;
  const CancelFlag cancel;
  Budget budget({}, cancel, {work, wall});
  work.advance(limits::kTime);
  CHECK(budget.poll());
  work.advance(std::chrono::nanoseconds(1));
  CHECK_FALSE(budget.poll());
  CHECK(budget.why() == Stop::time);
}

TEST_CASE("a thread's work is what the processor did for it") {
  const auto begin = thread_work_clock().now();
  volatile uint64_t sum = 0;
  while (thread_work_clock().now() == begin) sum = sum + 1;
  CHECK(thread_work_clock().now() > begin);
}

}  // namespace stepwise::query
