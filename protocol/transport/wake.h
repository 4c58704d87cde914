// An eventfd that gets a thread out of poll(). set from any thread; clear by the one that polls.
#pragma once

#include "core/base/error.h"

namespace stepwise::transport {

class Wake {
 public:
  /// Errors: io `transport.eventfd` (no descriptors left).
  static Result<Wake> make();
  Wake(Wake&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Wake& operator=(Wake&&) = delete;
  ~Wake();

  int fd() const { return fd_; }  // readable once set
  void set() const;
  void clear() const;

 private:
  explicit Wake(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace stepwise::transport
