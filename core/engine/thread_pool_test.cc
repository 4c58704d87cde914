#include "core/engine/thread_pool.h"

#include <future>

#include "tests/catch.h"

using namespace stepwise::engine;

namespace {

/// As what a job holds may do at its end.
struct UsesPool {
  explicit UsesPool(ThreadPool& of) : pool(of) {}
  ~UsesPool() {
    pool.submit([] {});
  }
  ThreadPool& pool;
};

}  // namespace

TEST_CASE("what a job holds may use the pool while the job is dropped") {
  ThreadPool pool(1);
  std::promise<void> runs, may_end;
  pool.submit([&] {
    runs.set_value();
    may_end.get_future().wait();
  });
  runs.get_future().wait();
  auto held = std::make_shared<UsesPool>(pool);
  pool.submit([held = std::move(held)] {});
  CHECK_FALSE(pool.stop(std::chrono::milliseconds(0)));  // the first one runs
  may_end.set_value();
  CHECK(pool.stop(std::chrono::minutes(1)));
}
