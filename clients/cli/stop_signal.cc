#include "clients/cli/stop_signal.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>

namespace stepwise::cli {
namespace {

constexpr int kExitBySignal = 130;

void block_signals() {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&blocked, signal);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
}

}  // namespace

StopSignal::StopSignal() : fd_(eventfd(0, EFD_CLOEXEC)) {
  block_signals();
  loop_.on_signal({SIGINT, SIGTERM}, [this](int) { arrived(); });
  loop_.start();
}

StopSignal::~StopSignal() {
  loop_.stop();
  close(fd_);
}

void StopSignal::arrived() {
  if (requested_.exchange(true, std::memory_order_acq_rel)) _exit(kExitBySignal);
  const uint64_t one = 1;
  (void)!write(fd_, &one, sizeof one);
}

}  // namespace stepwise::cli
