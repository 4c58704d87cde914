#include "core/base/event_loop.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stepwise {

namespace asio = boost::asio;

struct EventLoop::Impl {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  std::unordered_map<TimerId, asio::steady_timer> timers;  // loop only
  std::unordered_map<uint64_t, asio::signal_set> signals;  // loop only
  std::atomic<TimerId> last_id{0};
  std::thread thread;
  std::atomic<std::thread::id> loop_thread{};
  std::mutex join_mutex;

  void wait_for_signal(uint64_t id, std::shared_ptr<std::function<void(int)>> fn) {
    const auto it = signals.find(id);
    if (it == signals.end()) return;
    it->second.async_wait([this, id, fn = std::move(fn)](const boost::system::error_code& ec, int signal) {
      if (ec) return;
      (*fn)(signal);
      wait_for_signal(id, fn);
    });
  }
};

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {}

EventLoop::~EventLoop() { stop(); }

void EventLoop::start() {
  impl_->thread = std::thread([this] {
    impl_->loop_thread = std::this_thread::get_id();
    impl_->io.run();
  });
}

void EventLoop::post(std::function<void()> fn) { asio::post(impl_->io, std::move(fn)); }

EventLoop::TimerId EventLoop::run_after(std::chrono::milliseconds delay, std::function<void()> fn) {
  const TimerId id = ++impl_->last_id;
  // The moment counts from now, not from when the loop gets to it.
  const auto when = std::chrono::steady_clock::now() + delay;
  asio::post(impl_->io, [impl = impl_.get(), id, when, fn = std::move(fn)]() mutable {
    const auto timer = impl->timers.try_emplace(id, impl->io, when).first;
    timer->second.async_wait([impl, id, fn = std::move(fn)](const boost::system::error_code& ec) {
      // A cancelled timer's handler may already be queued without an error: whether it is still listed decides.
      if (impl->timers.erase(id) != 0 && !ec) fn();
    });
  });
  return id;
}

void EventLoop::cancel_timer(TimerId timer) {
  const auto erase = [impl = impl_.get(), timer] { impl->timers.erase(timer); };
  if (on_loop_thread()) {
    erase();
  } else {
    asio::post(impl_->io, erase);
  }
}

void EventLoop::on_signal(std::initializer_list<int> signals, std::function<void(int)> fn) {
  const uint64_t id = ++impl_->last_id;
  asio::post(impl_->io, [impl = impl_.get(), id, list = std::vector<int>(signals),
                         shared = std::make_shared<std::function<void(int)>>(std::move(fn))] {
    const auto set = impl->signals.try_emplace(id, impl->io).first;
    for (const int signal : list) set->second.add(signal);
    impl->wait_for_signal(id, shared);
  });
}

void EventLoop::stop() {
  impl_->io.stop();
  if (on_loop_thread()) return;
  const std::lock_guard lock(impl_->join_mutex);
  if (impl_->thread.joinable()) impl_->thread.join();
}

bool EventLoop::on_loop_thread() const { return impl_->loop_thread.load() == std::this_thread::get_id(); }

}  // namespace stepwise
