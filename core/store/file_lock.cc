#include "core/store/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "core/base/limits.h"

namespace stepwise::store {
namespace {

Error lock_error(int error_number, const std::filesystem::path& path) {
  return {ErrorKind::io, "store.lock",
          "The cache cannot be locked: " + path.string() + ": " + std::strerror(error_number) + ".", ""};
}

/// Whether the file that we locked is still the one of that name: its last holder may have removed it meanwhile.
bool is_still_named(int fd, const std::filesystem::path& path) {
  struct stat locked {
  }, named{};
  return ::fstat(fd, &locked) == 0 && ::stat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
         locked.st_dev == named.st_dev;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::try_take(const std::filesystem::path& path) {
  for (;;) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (!file.is_open()) return lock_error(errno, path);
    int failed = 0;
    do {
      failed = ::flock(file.get(), LOCK_EX | LOCK_NB);
    } while (failed != 0 && errno == EINTR);
    if (failed != 0 && errno == EWOULDBLOCK) return std::optional<FileLock>();
    if (failed != 0) return lock_error(errno, path);
    if (is_still_named(file.get(), path)) return std::optional<FileLock>(FileLock(std::move(file)));
  }
}

Result<FileLock> FileLock::take(const std::filesystem::path& path, const CancelFlag& cancel) {
  for (;;) {
    std::error_code ignored;  // try_take tells what is wrong
    std::filesystem::create_directories(path.parent_path(), ignored);
    auto taken = try_take(path);
    if (!taken.ok()) {
      // An emptied profile's directory may go between the two steps.
      const bool vanished = !ignored && !std::filesystem::exists(path.parent_path(), ignored);
      if (!vanished) return taken.take_error();
    } else if (taken.value()) {
      return std::move(*taken.value());
    }
    if (cancel.is_set()) {
      return Error{ErrorKind::cancelled, "call.cancelled", "Waiting for another reader of the profile was cancelled.",
                   ""};
    }
    std::this_thread::sleep_for(limits::kCacheLockPoll);
  }
}

}  // namespace stepwise::store
