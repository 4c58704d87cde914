// Appends to a file descriptor, whole or not at all. Internal to core/store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/base/error.h"

namespace stepwise::store {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset();

 private:
  int fd_ = -1;
};

/// Small pieces are gathered, large ones go straight to the kernel. After an error nothing more is written.
class FileWriter {
 public:
  explicit FileWriter(int fd) : fd_(fd) {}
  void append(const void* data, uint64_t bytes);
  uint64_t offset() const { return offset_; }
  /// Errors: io `store.write`.
  Result<void> finish();

 private:
  void flush();
  void write_all(const char* data, uint64_t bytes);
  int fd_;
  int error_ = 0;  // errno of the first failure
  uint64_t offset_ = 0;
  std::string pending_;
};

/// Writes a file beside `path` through `fill`, which gets its descriptor, then renames it to `path`; after a failure
/// nothing is left behind. No fsync: what a cache loses in a power cut can be made again.
Result<void> replace_file(const std::filesystem::path& path, const std::function<Result<void>(int)>& fill);

/// What the names of temporary files of `path` begin with.
std::string temporary_prefix(const std::filesystem::path& path);

Error write_error(int error_number, const std::filesystem::path& path);

}  // namespace stepwise::store
