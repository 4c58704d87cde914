#include "protocol/http/reception.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace stepwise::http {
namespace {

constexpr int kEventsAtOnce = 64;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

Result<std::unique_ptr<Reception>> Reception::start(Options options) {
  SW_ASSIGN_OR_RETURN(auto wake, transport::Wake::make());
  const int epoll_fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) {
    return Error{ErrorKind::io, "http.epoll",
                 "Connections cannot be watched: " + std::generic_category().message(errno) + ".",
                 "Raise the limit of open files (ulimit -n).", ""};
  }
  return std::unique_ptr<Reception>(new Reception(std::move(options), std::move(wake), epoll_fd));
}

Reception::Reception(Options options, transport::Wake wake, int epoll_fd)
    : options_(std::move(options)), wake_(std::move(wake)), epoll_fd_(epoll_fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = this;  // the wake; the listener is told by nullptr
  ::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, wake_.fd(), &event);
  watch_listener(true);
  thread_ = std::thread([this] { run(); });
}

Reception::~Reception() {
  stop();
  ::close(epoll_fd_);
}

void Reception::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.set();
  if (thread_.joinable()) thread_.join();
}

void Reception::keep(std::shared_ptr<Connection> connection) {
  give_back(std::move(connection), Connection::Waits::for_next_request);
}

void Reception::let_go(std::shared_ptr<Connection> connection) {
  connection->socket.end_output();
  give_back(std::move(connection), Connection::Waits::to_be_closed);
}

void Reception::give_back(std::shared_ptr<Connection> connection, Connection::Waits waits) {
  connection->waits = waits;
  connection->reader.reset();
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  returned_.push_back(std::move(connection));
  wake_.set();
}

void Reception::run() {
  const int tick_ms = static_cast<int>(std::chrono::milliseconds(kTick).count());
  auto looked = std::chrono::steady_clock::now();
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) break;
    }
    std::array<epoll_event, kEventsAtOnce> events;
    const bool is_quiet = waiting_.empty() && listener_watched_;
    const int count = ::epoll_wait(epoll_fd_, events.data(), kEventsAtOnce, is_quiet ? -1 : tick_ms);
    for (int i = 0; i < count; ++i) {
      void* const who = events[static_cast<size_t>(i)].data.ptr;
      if (who == this) {
        wake_.clear();
      } else if (who == nullptr) {
        accept_some();
      } else if (const auto found = waiting_.find(static_cast<Connection*>(who)); found != waiting_.end()) {
        readable(std::shared_ptr(found->second));
      }
    }
    take_returned();
    // By the machine's clock, whatever the deadlines go by: a tick is how often one looks.
    if (const auto now = std::chrono::steady_clock::now(); now - looked >= kTick) {
      looked = now;
      look_at_deadlines();
      if (!listener_watched_) watch_listener(true);
    }
  }
  waiting_.clear();
  const std::lock_guard lock(mutex_);
  returned_.clear();
}

void Reception::watch_listener(bool watched) {
  epoll_event event{};
  event.events = EPOLLIN;
  ::epoll_ctl(epoll_fd_, watched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, options_.listener_fd, &event);
  listener_watched_ = watched;
}

void Reception::accept_some() {
  for (int i = 0; i < kEventsAtOnce; ++i) {
    const int fd = ::accept4(options_.listener_fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      // Out of descriptors or memory: what waits to be accepted would wake us at once again, so look away for a tick.
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) watch_listener(false);
      return;
    }
    if (!has_room() && !make_room()) {
      options_.tally->change([](HttpCounters& counters) { ++counters.refused_by["full"]; });
      ::close(fd);
      continue;
    }
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    adopt(std::make_shared<Connection>(fd, *options_.clock, store_, options_.tally, options_.check));
  }
}

bool Reception::has_room() const { return options_.tally->get().open_connections < options_.max_connections; }

/// False: nothing waits, everything is being answered.
bool Reception::make_room() {
  const auto longest = std::max_element(waiting_.begin(), waiting_.end(), [this](const auto& a, const auto& b) {
    return waited(*a.second) < waited(*b.second);
  });
  if (longest == waiting_.end()) return false;
  // Closed as it is: an answer would take the peer's time again.
  forget(*std::shared_ptr(longest->second));
  options_.tally->change([](HttpCounters& counters) { ++counters.refused_by["crowded"]; });
  return has_room();
}

void Reception::take_returned() {
  std::vector<std::shared_ptr<Connection>> returned;
  {
    const std::lock_guard lock(mutex_);
    returned.swap(returned_);
  }
  for (auto& connection : returned) adopt(std::move(connection));
}

void Reception::adopt(std::shared_ptr<Connection> connection) {
  connection->since = options_.clock->now();
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.ptr = connection.get();
  if (::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, connection->socket.fd(), &event) != 0) return;
  waiting_.emplace(connection.get(), connection);
  if (connection->waits == Connection::Waits::to_be_closed) {
    connection->early = {};
    connection->share.set(0);
    return;
  }
  const std::string early = std::exchange(connection->early, {});
  feed(connection, early);
}

void Reception::readable(const std::shared_ptr<Connection>& connection) {
  const ssize_t got = connection->socket.read_some(scratch_.data(), scratch_.size());
  if (got == -1) return;
  if (got <= 0) return forget(*connection);
  if (connection->waits == Connection::Waits::to_be_closed) return;
  feed(connection, {scratch_.data(), static_cast<size_t>(got)});
}

void Reception::feed(const std::shared_ptr<Connection>& connection, std::string_view bytes) {
  using State = RequestReader::State;
  RequestReader& reader = connection->reader;
  const State before = reader.state();
  const size_t taken = reader.take(bytes);
  connection->early.append(bytes.substr(taken));
  const State after = reader.state();
  if (after != before && after <= State::body) connection->since = options_.clock->now();
  if (!connection->share.set(reader.held_bytes() + connection->early.size()) && after == State::body) {
    reader.refuse({503, "full", "The server holds as many large requests as it can; try again."});
  }
  if (reader.take_continue() && reader.state() == State::body) connection->socket.write_some(kContinue);
  if (reader.state() > State::body) hand_on(connection);
}

void Reception::hand_on(const std::shared_ptr<Connection>& connection) {
  const std::shared_ptr<Connection> kept = connection;
  forget(*kept);
  options_.ready(kept);
}

void Reception::forget(const Connection& connection) {
  ::epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, connection.socket.fd(), nullptr);
  waiting_.erase(&connection);
}

void Reception::look_at_deadlines() {
  std::vector<std::shared_ptr<Connection>> late;
  for (const auto& [key, connection] : waiting_) {
    if (is_late(*connection)) late.push_back(connection);
  }
  for (const auto& connection : late) {
    const bool is_midway = connection->waits != Connection::Waits::to_be_closed &&
                           connection->reader.state() != RequestReader::State::empty;
    if (!is_midway) {
      forget(*connection);
      continue;
    }
    connection->reader.refuse({408, "slow", "The request came too slowly."});
    hand_on(connection);
  }
}

/// For the peer, without the time that the bytes of a body which have come may take.
std::chrono::steady_clock::duration Reception::waited(const Connection& connection) const {
  return options_.clock->now() - connection.since -
         std::chrono::seconds(connection.reader.body_bytes() / kBodyBytesASecond);
}

bool Reception::is_late(const Connection& connection) const {
  const auto time = waited(connection);
  if (connection.waits == Connection::Waits::to_be_closed) return time > kLingerWithin;
  switch (connection.reader.state()) {
    case RequestReader::State::empty:
      return time > (connection.waits == Connection::Waits::for_first_request ? kHeadWithin : kIdleWithin);
    case RequestReader::State::head:
      return time > kHeadWithin;
    default:
      return time > kBodyWithin;
  }
}

}  // namespace stepwise::http
