#include "core/base/event_loop.h"

#include <unistd.h>

#include <csignal>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/clock.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace std::chrono_literals;

namespace {

/// Runs fn on the loop and waits for it.
template <class Fn>
void on_loop(EventLoop& loop, Fn fn) {
  std::promise<void> done;
  loop.post([&] {
    fn();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace

TEST_CASE("posted functions run in order, on the loop, never on the caller's stack") {
  EventLoop loop;
  std::vector<int> order;
  loop.post([&] { order.push_back(1); });
  CHECK(order.empty());
  CHECK_FALSE(loop.on_loop_thread());
  loop.start();
  bool inside = false, nested_at_once = true;
  on_loop(loop, [&] {
    inside = loop.on_loop_thread();
    loop.post([&] { order.push_back(3); });
    nested_at_once = order.size() > 1;
    order.push_back(2);
  });
  on_loop(loop, [] {});
  CHECK(inside);
  CHECK_FALSE(nested_at_once);
  CHECK(order == std::vector<int>{1, 2, 3});
}

TEST_CASE("timers fire once, in the order of their times") {
  EventLoop loop;
  std::vector<int> order;
  std::promise<void> last;
  // Each counts from its own call, so the times lie further apart than a busy machine holds one of these lines up.
  loop.run_after(1s, [&] {
    order.push_back(3);
    last.set_value();
  });
  loop.run_after(0ms, [&] { order.push_back(1); });
  loop.run_after(10ms, [&] { order.push_back(2); });
  loop.start();
  last.get_future().wait();
  CHECK(order == std::vector<int>{1, 2, 3});
}

TEST_CASE("a timer cancelled on the loop never fires, even when its time has come") {
  EventLoop loop;
  bool fired = false;
  const auto watched = std::make_shared<int>(0);
  loop.start();
  on_loop(loop, [&] {
    const auto timer = loop.run_after(0ms, [&, watched] { fired = true; });
    const auto now = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() == now) {
    }
    loop.cancel_timer(timer);
    loop.cancel_timer(timer);
    loop.cancel_timer(timer + 1000);
  });
  CHECK(watched.use_count() == 1);  // what the function held is let go at once
  std::promise<void> later;
  loop.run_after(1ms, [&] { later.set_value(); });
  later.get_future().wait();
  CHECK_FALSE(fired);
}

TEST_CASE("a timer can be cancelled from any thread, and from itself") {
  EventLoop loop;
  loop.start();
  loop.cancel_timer(loop.run_after(1h, [] {}));
  std::promise<void> done;
  EventLoop::TimerId self = 0;
  int fired = 0;
  on_loop(loop, [&] {
    self = loop.run_after(0ms, [&] {
      ++fired;
      loop.cancel_timer(self);
      done.set_value();
    });
  });
  done.get_future().wait();
  on_loop(loop, [] {});
  CHECK(fired == 1);
}

TEST_CASE("after stop what is queued is dropped and nothing more is taken") {
  auto loop = std::make_unique<EventLoop>();
  const auto held = std::make_shared<int>(0);
  bool ran = false;
  loop->start();
  on_loop(*loop, [&] {
    loop->stop();  // from its own thread: asks, does not wait
    loop->post([&, held] { ran = true; });
    loop->run_after(0ms, [&, held] { ran = true; });
  });
  loop->stop();
  loop->stop();
  loop->post([&, held] { ran = true; });
  loop.reset();
  CHECK_FALSE(ran);
  CHECK(held.use_count() == 1);
}

TEST_CASE("what is dropped at the end may still call the loop") {
  int destroyed = 0;
  struct CallsWhenDestroyed {
    EventLoop& loop;
    EventLoop::TimerId timer;
    int& destroyed;
    ~CallsWhenDestroyed() {
      loop.cancel_timer(timer);
      loop.post([] {});
      ++destroyed;
    }
  };
  {
    EventLoop loop;  // never started
    const auto timer = loop.run_after(1h, [] {});
    loop.post([held = std::make_shared<CallsWhenDestroyed>(loop, timer, destroyed)] {});
    loop.run_after(1h, [held = std::make_shared<CallsWhenDestroyed>(loop, timer, destroyed)] {});
  }
  CHECK(destroyed == 2);
}

TEST_CASE("several threads may post, set timers and stop at once") {
  EventLoop loop;
  loop.start();
  int count = 0;  // touched on the loop only
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) {
        loop.post([&] { ++count; });
        loop.cancel_timer(loop.run_after(1h, [] {}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int seen = 0;
  on_loop(loop, [&] { seen = count; });
  CHECK(seen == 400);
  std::thread other([&] { loop.stop(); });
  loop.stop();
  other.join();
}

TEST_CASE("signals arrive on the loop, each time") {
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
  {
    EventLoop loop;
    std::promise<int> first, second;
    int arrived = 0;
    bool inside = true;
    loop.on_signal({SIGUSR1, SIGUSR2}, [&](int signal) {
      inside = inside && loop.on_loop_thread();
      (++arrived == 1 ? first : second).set_value(signal);
    });
    loop.start();
    ::kill(::getpid(), SIGUSR2);
    CHECK(first.get_future().get() == SIGUSR2);
    ::kill(::getpid(), SIGUSR1);
    CHECK(second.get_future().get() == SIGUSR1);
    loop.stop();
    CHECK(inside);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("the manual clock moves only by hand; the steady one never goes back") {
  ManualClock manual;
  const Clock& clock = manual;
  const auto start = clock.now();
  CHECK(clock.now() == start);
  manual.advance(90s);
  CHECK(clock.now() - start == 90s);
  const auto now = Clock::steady().now();
  CHECK(Clock::steady().now() >= now);
}
