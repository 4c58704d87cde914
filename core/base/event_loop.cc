#include "core/base/event_loop.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/log.h"

namespace stepwise {
namespace asio = boost::asio;

struct EventLoop::Impl {
  struct Timer {
    asio::steady_timer alarm;
    std::function<void()> fn;
  };
  /// Signals come by a descriptor, so that no code runs in a signal handler.
  struct SignalWatch {
    asio::posix::stream_descriptor descriptor;
    std::function<void(int)> fn;
  };

  void run_posted();
  void fire(TimerId id);
  void wait_for_signal(SignalWatch& watch);
  void read_signals(SignalWatch& watch);

  asio::io_context io{1};  // first: timers and watches end before it
  // Opens the descriptors that timers need: where there are none left, the loop cannot be made, rather than used.
  asio::steady_timer first{io};
  std::atomic<bool> stopping{false};
  std::mutex mutex;  // guards the next four; never held while a function runs or is destroyed
  std::vector<std::function<void()>> posted;
  std::map<TimerId, Timer> timers;
  TimerId last_timer = 0;
  std::list<SignalWatch> watches;  // entries stay where they are

  std::mutex thread_mutex;  // guards thread: starting and joining it
  std::thread thread;
};

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {}

EventLoop::~EventLoop() {
  stop();
  std::map<TimerId, Impl::Timer> timers;
  std::vector<std::function<void()>> posted;
  {
    const std::lock_guard lock(impl_->mutex);
    timers.swap(impl_->timers);
    posted.swap(impl_->posted);
  }
  // What is dropped may still call the loop, which takes nothing any more.
  posted.clear();
  timers.clear();
  impl_->watches.clear();
}

void EventLoop::start() {
  const std::lock_guard lock(impl_->thread_mutex);
  if (impl_->thread.joinable() || impl_->stopping) return;
  impl_->thread = std::thread([impl = impl_.get()] {
    const auto work = asio::make_work_guard(impl->io);
    impl->io.run();
  });
}

void EventLoop::stop() {
  impl_->stopping = true;
  impl_->io.stop();
  if (on_loop_thread()) return;
  const std::lock_guard lock(impl_->thread_mutex);
  if (impl_->thread.joinable()) impl_->thread.join();
}

bool EventLoop::on_loop_thread() const { return impl_->io.get_executor().running_in_this_thread(); }

void EventLoop::post(std::function<void()> fn) {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->stopping) return;
  impl_->posted.push_back(std::move(fn));
  // Asio queues what the loop's own thread posts apart from what others post: one queue of our own keeps the order.
  if (impl_->posted.size() == 1) asio::post(impl_->io, [impl = impl_.get()] { impl->run_posted(); });
}

/// On the loop. What comes meanwhile waits for the next turn, after the timers that are due.
void EventLoop::Impl::run_posted() {
  std::vector<std::function<void()>> batch;
  {
    const std::lock_guard lock(mutex);
    batch.swap(posted);
  }
  for (std::function<void()>& fn : batch) {
    if (stopping) return;
    fn();
    fn = nullptr;  // what it holds is let go before the next one runs
  }
}

EventLoop::TimerId EventLoop::run_after(std::chrono::milliseconds delay, std::function<void()> fn) {
  const std::lock_guard lock(impl_->mutex);
  const TimerId id = ++impl_->last_timer;
  if (impl_->stopping) return id;
  auto [at, added] = impl_->timers.try_emplace(id, Impl::Timer{asio::steady_timer(impl_->io, delay), std::move(fn)});
  at->second.alarm.async_wait([impl = impl_.get(), id](const boost::system::error_code&) { impl->fire(id); });
  return id;
}

void EventLoop::cancel_timer(TimerId timer) {
  // Outlives the lock: destroying a function may run anybody's code.
  std::map<TimerId, Impl::Timer>::node_type cancelled;
  const std::lock_guard lock(impl_->mutex);
  cancelled = impl_->timers.extract(timer);
}

/// On the loop. A timer that was cancelled while its alarm was on the way is not in the map any more.
void EventLoop::Impl::fire(TimerId id) {
  std::map<TimerId, Timer>::node_type fired;
  {
    const std::lock_guard lock(mutex);
    fired = timers.extract(id);
  }
  if (!fired.empty()) fired.mapped().fn();
}

void EventLoop::on_signal(std::initializer_list<int> signals, std::function<void(int)> fn) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : signals) ::sigaddset(&set, signal);
  // A signal that some thread does not block takes its default action instead. This thread at least blocks them.
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  const int descriptor = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (descriptor < 0) {
    log::error(std::string("Signals cannot be received: ") + std::strerror(errno) + ".");
    return;
  }
  const std::lock_guard lock(impl_->mutex);
  impl_->wait_for_signal(impl_->watches.emplace_back(
      Impl::SignalWatch{asio::posix::stream_descriptor(impl_->io, descriptor), std::move(fn)}));
}

void EventLoop::Impl::wait_for_signal(SignalWatch& watch) {
  watch.descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                              [this, &watch](const boost::system::error_code& failed) {
                                if (!failed) read_signals(watch);
                              });
}

void EventLoop::Impl::read_signals(SignalWatch& watch) {
  signalfd_siginfo info;
  while (::read(watch.descriptor.native_handle(), &info, sizeof info) == sizeof info) {
    watch.fn(static_cast<int>(info.ssi_signo));
  }
  wait_for_signal(watch);
}

}  // namespace stepwise
