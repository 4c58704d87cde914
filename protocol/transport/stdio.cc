#include "protocol/transport/stdio.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/log.h"

namespace stepwise::transport {
namespace {

constexpr size_t kReadBytes = 64u << 10;
// A pipe that polls writable takes this much without blocking, and so does a socket; a longer write could block, and
// then the writer could not be joined.
constexpr size_t kWriteBytes = 4096;

Error io_error(const char* code, const char* what, int number) {
  return {ErrorKind::io, code, std::string(what) + ": " + std::generic_category().message(number) + ".", "", ""};
}

bool try_again(int number) { return number == EINTR || number == EAGAIN || number == EWOULDBLOCK; }

// SIGPIPE goes to the thread that writes: blocked there, it is seen as EPIPE and the process's own setting stays.
void block_sigpipe() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

int poll_timeout_ms(std::chrono::steady_clock::duration left) {
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<int64_t>(rounded, 0, INT_MAX));
}

}  // namespace

Result<std::unique_ptr<Stdio>> Stdio::open(const Options& options, std::unique_ptr<Framing> framing) {
  SW_ASSIGN_OR_RETURN(Wake reader_wake, Wake::make());
  SW_ASSIGN_OR_RETURN(Wake writer_wake, Wake::make());
  return std::unique_ptr<Stdio>(new Stdio(options, std::move(framing), std::move(reader_wake), std::move(writer_wake)));
}

Stdio::Stdio(const Options& options, std::unique_ptr<Framing> framing, Wake reader_wake, Wake writer_wake)
    : options_(options),
      framing_(std::move(framing)),
      reader_wake_(std::move(reader_wake)),
      writer_wake_(std::move(writer_wake)),
      queue_(options.out_queue_bytes),
      writer_([this] { write_loop(); }) {}

Stdio::~Stdio() { close(std::chrono::milliseconds(0)); }

Result<End> Stdio::run(Receiver& receiver) {
  std::vector<char> chunk(kReadBytes);
  for (;;) {
    bool paused = false;
    {
      std::lock_guard lock(mutex_);
      if (failure_) return *failure_;
      if (stopping_) return End::stopped;
      paused = queue_.full();
      if (paused && !reader_paused_) ++reader_pauses_;
      reader_paused_ = paused;
    }
    pollfd polled[] = {
        {reader_wake_.fd(), POLLIN, 0}, {options_.stop_fd, POLLIN, 0}, {paused ? -1 : options_.in_fd, POLLIN, 0}};
    if (::poll(polled, std::size(polled), -1) < 0) {
      if (try_again(errno)) continue;
      return io_error("transport.read", "The input cannot be waited for", errno);
    }
    if (polled[0].revents != 0) reader_wake_.clear();
    if (polled[1].revents != 0) return End::stopped;
    if (polled[2].revents == 0) continue;

    const ssize_t got = ::read(options_.in_fd, chunk.data(), chunk.size());
    if (got < 0) {
      if (try_again(errno)) continue;
      return io_error("transport.read", "The input cannot be read", errno);
    }
    if (got == 0) {
      framing_->finish(receiver);
      return End::input_ended;
    }
    framing_->feed(std::string_view(chunk.data(), static_cast<size_t>(got)), receiver);
  }
}

void Stdio::send(std::string message, Delivery delivery) {
  std::string framed = framing_->frame(std::move(message));
  {
    std::lock_guard lock(mutex_);
    if (failure_ || drain_until_) return;
    queue_.push(std::move(framed), delivery);
  }
  writer_wake_.set();
}

void Stdio::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  reader_wake_.set();
}

void Stdio::close(std::chrono::milliseconds drain_within) {
  {
    std::lock_guard lock(mutex_);
    if (!drain_until_) drain_until_ = Clock::now() + drain_within;
  }
  writer_wake_.set();
  if (writer_.joinable()) writer_.join();
}

Stdio::Counters Stdio::counters() const {
  std::lock_guard lock(mutex_);
  return {queue_.dropped(), reader_pauses_};
}

void Stdio::write_loop() {
  block_sigpipe();
  Outgoing out;
  while (next_message(out)) {
    if (wait_until_writable(out) ? !write_some(out) : given_up(out)) return;
  }
}

bool Stdio::next_message(Outgoing& out) {
  if (out.pending()) return true;
  std::lock_guard lock(mutex_);
  auto next = queue_.pop();
  if (!next) return !drain_until_;
  out = {std::move(*next), 0, Clock::now()};
  if (reader_paused_ && !queue_.full()) reader_wake_.set();
  return true;
}

bool Stdio::wait_until_writable(const Outgoing& out) const {
  pollfd polled[] = {{writer_wake_.fd(), POLLIN, 0}, {out.pending() ? options_.out_fd : -1, POLLOUT, 0}};
  const int timeout_ms = out.pending() ? poll_timeout_ms(give_up_at(out) - Clock::now()) : -1;
  if (::poll(polled, std::size(polled), timeout_ms) < 0) return false;
  if (polled[0].revents != 0) writer_wake_.clear();
  return polled[1].revents != 0;
}

bool Stdio::write_some(Outgoing& out) {
  const size_t length = std::min(kWriteBytes, out.bytes.size() - out.written);
  const ssize_t taken = ::write(options_.out_fd, out.bytes.data() + out.written, length);
  if (taken < 0) {
    if (try_again(errno)) return true;
    fail(io_error("transport.write", "The client takes no more output", errno));
    return false;
  }
  out.written += static_cast<size_t>(taken);
  out.last_taken = Clock::now();
  return true;
}

Stdio::Clock::time_point Stdio::give_up_at(const Outgoing& out) const {
  const auto stalled_at = out.last_taken + options_.stalled_after;
  std::lock_guard lock(mutex_);
  return drain_until_ ? std::min(stalled_at, *drain_until_) : stalled_at;
}

bool Stdio::given_up(const Outgoing& out) {
  const auto now = Clock::now();
  if (!out.pending() || now < give_up_at(out)) return false;
  if (now < out.last_taken + options_.stalled_after) {
    log::warn("The client did not take the last answers in time; they are lost.");
    return true;
  }
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.stalled_after).count();
  fail({ErrorKind::io, "transport.stalled",
        "The client has taken no output for " + std::to_string(seconds) + " s; the connection is closed.", "", ""});
  return true;
}

void Stdio::fail(Error why) {
  {
    std::lock_guard lock(mutex_);
    failure_ = std::move(why);
    queue_.clear();
  }
  reader_wake_.set();
}

}  // namespace stepwise::transport
