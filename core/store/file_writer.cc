#include "core/store/file_writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace stepwise::store {
namespace {

constexpr size_t kGatherBytes = 1u << 18;

Error write_error(int error_number, const std::filesystem::path& path) {
  std::string message = "The cache cannot be written";
  if (!path.empty()) message += ": " + path.string();
  return {ErrorKind::io, "store.write", message + ": " + std::strerror(error_number) + ".",
          "Free space, or name another directory in XDG_CACHE_HOME."};
}

Result<Descriptor> fill_unnamed(Descriptor file, const Fill& fill) {
  if (!file.is_open()) return write_error(errno, {});
  SW_RETURN_IF_ERROR(fill(file.get()));
  // A second descriptor, because the right to write can't be taken from the first.
  const std::string again = "/proc/self/fd/" + std::to_string(file.get());
  Descriptor read_only(::open(again.c_str(), O_RDONLY | O_CLOEXEC));
  if (!read_only.is_open()) return write_error(errno, again);
  return read_only;
}

}  // namespace

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

void FileWriter::append_zeros(uint64_t bytes) {
  if (bytes == 0) return;
  offset_ += bytes;
  flush();
  if (error_ == 0 && ::lseek(fd_, static_cast<off_t>(bytes), SEEK_CUR) < 0) error_ = errno;
  ends_in_hole_ = true;
}

void FileWriter::append_repeated(std::string_view piece, uint64_t bytes) {
  offset_ += bytes;
  flush();
  while (bytes > 0 && error_ == 0) {
    const uint64_t now = std::min<uint64_t>(bytes, piece.size());
    write_all(piece.data(), now);
    bytes -= now;
  }
}

void FileWriter::flush() {
  write_all(pending_.data(), pending_.size());
  pending_.clear();
}

void FileWriter::write_all(const char* data, uint64_t bytes) {
  if (bytes > 0) ends_in_hole_ = false;
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
  // Until something is written behind it, a hole is not part of the file.
  if (error_ == 0 && ends_in_hole_ && ::ftruncate(fd_, static_cast<off_t>(offset_)) != 0) error_ = errno;
  if (error_ != 0) return write_error(error_, {});
  return {};
}

Result<void> replace_file(const std::filesystem::path& path, const std::string& temporary_prefix, const Fill& fill) {
  std::string temporary = (path.parent_path() / (temporary_prefix + "XXXXXX")).string();
  Descriptor descriptor(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!descriptor.is_open()) return write_error(errno, path);
  Result<void> done = fill(descriptor.get());
  if (done.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) done = write_error(errno, path);
  if (!done.ok()) ::unlink(temporary.c_str());
  return done;
}

Result<Descriptor> make_unnamed_file(const Fill& fill) {
  std::error_code none;
  const std::filesystem::path directory = std::filesystem::temp_directory_path(none);
  if (!none) {
    Descriptor file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    auto filled = fill_unnamed(std::move(file), fill);
    if (filled.ok() || filled.error().kind != ErrorKind::io) return filled;
  }
  return make_memory_file(fill);
}

Result<Descriptor> make_memory_file(const Fill& fill) {
  return fill_unnamed(Descriptor(::memfd_create("stepwise-segment", MFD_CLOEXEC)), fill);
}

std::string temporary_prefix(const std::filesystem::path& segment) { return segment.filename().string() + ".tmp."; }

}  // namespace stepwise::store
