#include "protocol/http/socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "protocol/http/limits.h"

namespace stepwise::http {
namespace {

constexpr int kWithoutSignal = MSG_NOSIGNAL | MSG_DONTWAIT;

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

Socket::~Socket() { ::close(fd_); }

ssize_t Socket::read_some(char* to, size_t bytes) {
  const ssize_t got = ::recv(fd_, to, bytes, MSG_DONTWAIT);
  if (got >= 0) return got;
  return would_block(errno) ? -1 : -2;
}

bool Socket::write_all(std::string_view bytes) {
  const auto began = clock_.now();
  size_t sent = 0;
  while (sent < bytes.size()) {
    if (cut_.load(std::memory_order_acquire)) return false;
    const ssize_t now = ::send(fd_, bytes.data() + sent, bytes.size() - sent, kWithoutSignal);
    if (now >= 0) {
      sent += static_cast<size_t>(now);
      continue;
    }
    if (!would_block(errno)) return false;
    if (clock_.now() - began > kWriteWithin + std::chrono::seconds(sent / kWriteBytesASecond)) {
      stalled_ = true;
      return false;
    }
    pollfd waiting{fd_, POLLOUT, 0};
    ::poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(kTick).count()));
  }
  return true;
}

void Socket::write_some(std::string_view bytes) {
  [[maybe_unused]] const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), kWithoutSignal);
}

bool Socket::peer_gone() const {
  if (cut_.load(std::memory_order_acquire)) return true;
  pollfd looked{fd_, POLLRDHUP, 0};
  return ::poll(&looked, 1, 0) > 0 && (looked.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void Socket::end_output() { ::shutdown(fd_, SHUT_WR); }

void Socket::cut() {
  cut_.store(true, std::memory_order_release);
  ::shutdown(fd_, SHUT_RDWR);
}

}  // namespace stepwise::http
