// One connected peer: a descriptor that is read without blocking and written with a limit on how long that may take.
//
// Threads: one reads or writes at a time; cut from any.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <string_view>

#include "core/base/clock.h"

namespace stepwise::http {

class Socket {
 public:
  /// Takes over `fd`, which does not block.
  Socket(int fd, const Clock& clock) : fd_(fd), clock_(clock) {}
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int fd() const { return fd_; }
  /// Bytes read; 0: the peer sends no more; -1: there is nothing now; -2: the connection is broken.
  ssize_t read_some(char* to, size_t bytes);
  /// False: the peer is gone, was cut off, or took less than kWriteBytesASecond for kWriteWithin.
  bool write_all(std::string_view bytes);
  /// As much as goes at once, for what may get lost.
  void write_some(std::string_view bytes);
  /// The peer closed its end, or the connection is broken or cut. A peer that only half closed looks the same.
  bool peer_gone() const;
  bool stalled() const { return stalled_; }  // a write took too long
  void end_output();                         // the peer sees the end; its own bytes may still come
  /// Ends whatever is under way, at once.
  void cut();

 private:
  const int fd_;
  const Clock& clock_;
  std::atomic<bool> cut_{false};
  bool stalled_ = false;
};

}  // namespace stepwise::http
