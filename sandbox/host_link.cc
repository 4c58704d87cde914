#include "sandbox/host_link.h"

#include <unistd.h>

#include <csignal>
#include <limits>
#include <utility>

#include "sandbox/limits.h"

namespace stepwise::sandbox {

HostLink::HostLink(store::Descriptor socket)
    // The host is trusted: what it sends may be as large as its memory allows.
    : channel_(std::move(socket), std::numeric_limits<size_t>::max(), Channel::Descriptors::take),
      reader_([this] { read(); }) {}

HostLink::~HostLink() { reader_.join(); }

void HostLink::read() {
  // Signals are for the main thread and the plugin's.
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (;;) {
    Message message;
    switch (channel_.receive(message, std::chrono::milliseconds(-1))) {
      case Channel::Arrival::nothing:
        continue;
      case Channel::Arrival::closed:
      case Channel::Arrival::violation:
        return host_is_gone();
      case Channel::Arrival::message:
        break;
    }
    if (message.kind == MessageKind::cancel) {
      cancelled_.store(true, std::memory_order_relaxed);
      continue;
    }
    const std::lock_guard lock(mutex_);
    if (message.kind == MessageKind::load || message.kind == MessageKind::call) {
      cancelled_.store(false, std::memory_order_relaxed);  // a CANCEL before it was for the task before it
      tasks_.push_back(std::move(message));
    } else {
      answers_.push_back(std::move(message));
    }
    changed_.notify_all();
  }
}

void HostLink::host_is_gone() {
  const std::lock_guard lock(mutex_);
  if (has_task_) ::_exit(0);  // nobody is left to hear the answer
  ::alarm(kCloseGrace_s);     // the kernel's: it ends a plugin's close that hangs
  is_gone_ = true;
  changed_.notify_all();
}

std::optional<Message> HostLink::next_task() {
  std::unique_lock lock(mutex_);
  has_task_ = false;
  changed_.wait(lock, [this] { return is_gone_ || !tasks_.empty(); });
  if (is_gone_) return std::nullopt;
  has_task_ = true;
  Message task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

Message HostLink::ask(const Message& question) {
  tell(question);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !answers_.empty(); });  // or the process ends
  Message answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

void HostLink::tell(const Message& message) {
  const std::lock_guard lock(send_mutex_);
  channel_.send(message, [] { return false; });  // when the host is gone, the reader ends the process
}

}  // namespace stepwise::sandbox
