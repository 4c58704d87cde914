#include "core/store/file_writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace stepwise::store {
namespace {

constexpr size_t kGatherBytes = 1u << 18;

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void FileWriter::append(const void* data, uint64_t bytes) {
  if (bytes == 0) return;
  offset_ += bytes;
  if (bytes >= kGatherBytes) {
    flush();
    write_all(static_cast<const char*>(data), bytes);
    return;
  }
  if (pending_.size() + bytes > kGatherBytes) flush();
  pending_.append(static_cast<const char*>(data), bytes);
}

void FileWriter::flush() {
  write_all(pending_.data(), pending_.size());
  pending_.clear();
}

void FileWriter::write_all(const char* data, uint64_t bytes) {
  while (bytes > 0 && error_ == 0) {
    constexpr uint64_t kAtOnce = 1u << 30;  // write() takes no more than 2 GiB
    const ssize_t written = ::write(fd_, data, std::min(bytes, kAtOnce));
    if (written < 0) {
      if (errno != EINTR) error_ = errno;
      continue;
    }
    data += written;
    bytes -= static_cast<uint64_t>(written);
  }
}

Result<void> FileWriter::finish() {
  flush();
  if (error_ != 0) return write_error(error_, {});
  return {};
}

std::string temporary_prefix(const std::filesystem::path& path) { return path.filename().string() + ".tmp."; }

Error write_error(int error_number, const std::filesystem::path& path) {
  std::string message = "The cache cannot be written";
  if (!path.empty()) message += ": " + path.string();
  return {ErrorKind::io, "store.write", message + ": " + std::strerror(error_number) + ".",
          "Free space, or name another directory in XDG_CACHE_HOME."};
}

Result<void> replace_file(const std::filesystem::path& path, const std::function<Result<void>(int)>& fill) {
  std::string temporary = (path.parent_path() / (temporary_prefix(path) + "XXXXXX")).string();
  Descriptor descriptor(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!descriptor.is_open()) return write_error(errno, path);
  Result<void> done = fill(descriptor.get());
  if (done.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) done = write_error(errno, path);
  if (!done.ok()) ::unlink(temporary.c_str());
  return done;
}

}  // namespace stepwise::store
