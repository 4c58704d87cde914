#include "core/base/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace stepwise {

std::optional<std::string> read_small_file(const std::filesystem::path& path, size_t most_bytes) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat info = {};
  std::optional<std::string> text;
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && static_cast<size_t>(info.st_size) <= most_bytes) {
    // One byte more than may be: a file that grows meanwhile is told by it.
    text.emplace(
        most_bytes < static_cast<size_t>(info.st_size) + 1 ? most_bytes + 1 : static_cast<size_t>(info.st_size) + 1,
        '\0');
    size_t filled = 0;
    ssize_t got = 0;
    do {
      got = ::read(file, text->data() + filled, text->size() - filled);
      if (got > 0) filled += static_cast<size_t>(got);
    } while (filled < text->size() && (got > 0 || (got < 0 && errno == EINTR)));
    text->resize(filled);
    if (got < 0 || filled > most_bytes) text.reset();
  }
  ::close(file);
  return text;
}

}  // namespace stepwise
