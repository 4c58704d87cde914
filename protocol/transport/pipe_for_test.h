// A pipe whose ends close by themselves, for tests of what works on descriptors.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "tests/catch.h"

namespace stepwise::transport {

class Pipe {
 public:
  Pipe() { REQUIRE(::pipe2(ends_, O_CLOEXEC) == 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }

  int read_fd() const { return ends_[0]; }
  int write_fd() const { return ends_[1]; }
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }
  /// The kernel's smallest, so that few bytes fill it.
  void shrink() { REQUIRE(::fcntl(ends_[1], F_SETPIPE_SZ, 4096) == 4096); }

  /// Blocks while the pipe is full. False: the other end is closed (with SIGPIPE blocked by the caller).
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t taken = ::write(ends_[1], bytes.data(), bytes.size());
      if (taken < 0) return false;
      bytes.remove_prefix(static_cast<size_t>(taken));
    }
    return true;
  }
  /// Until the end of the stream.
  std::string read_all() {
    std::string all;
    char chunk[4096];
    for (ssize_t got = 0; (got = ::read(ends_[0], chunk, sizeof chunk)) > 0;) all.append(chunk, got);
    return all;
  }

 private:
  void close_end(int end) {
    if (const int fd = std::exchange(ends_[end], -1); fd >= 0) ::close(fd);
  }
  int ends_[2] = {-1, -1};
};

}  // namespace stepwise::transport
