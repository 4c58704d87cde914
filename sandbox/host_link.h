// The worker's end of the connection. A thread of its own reads, so that a cancellation arrives while the plugin
// computes, and so that the worker ends with its host, whatever the plugin does at that moment.
//
// (PR_SET_PDEATHSIG would not do: it tells of the end of the host's *thread* that started the worker.)
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "sandbox/channel.h"

namespace stepwise::sandbox {

class HostLink {
 public:
  explicit HostLink(store::Descriptor socket);
  ~HostLink();  // after next_task has said that the host is gone
  HostLink(const HostLink&) = delete;
  HostLink& operator=(const HostLink&) = delete;

  /// LOAD or CALL; nullopt: the host is gone. When the host goes during a task, the process ends at once. [main]
  std::optional<Message> next_task();
  /// Sends a question and waits for its answer. [main, during a task]
  Message ask(const Message& question);
  /// [any thread]
  void tell(const Message& message);
  /// Of the task that runs. [any thread]
  bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  void read();
  void host_is_gone();

  Channel channel_;
  std::mutex send_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> tasks_, answers_;
  bool has_task_ = false, is_gone_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread reader_;
};

}  // namespace stepwise::sandbox
