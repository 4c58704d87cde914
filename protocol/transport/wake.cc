#include "protocol/transport/wake.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace stepwise::transport {

Result<Wake> Wake::make() {
  const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) {
    return Error{ErrorKind::io, "transport.eventfd",
                 "No eventfd can be made: " + std::generic_category().message(errno) + ".",
                 "Raise the limit of open files (ulimit -n).", ""};
  }
  return Wake(fd);
}

Wake::~Wake() {
  if (fd_ >= 0) ::close(fd_);
}

void Wake::set() const {
  const uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(fd_, &one, sizeof one);  // full means set already
}

void Wake::clear() const {
  uint64_t count = 0;
  [[maybe_unused]] const auto taken = ::read(fd_, &count, sizeof count);  // nothing to read means clear already
}

}  // namespace stepwise::transport
