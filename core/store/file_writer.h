// Writing files so that nobody ever sees half of one. Internal to core/store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/store/descriptor.h"

namespace stepwise::store {

/// Small pieces are gathered, large ones go straight to the kernel. After an error nothing more is written.
class FileWriter {
 public:
  explicit FileWriter(int fd) : fd_(fd) {}
  void append(const void* data, uint64_t bytes);
  /// The same of zeros, which take no room on a disk where files may have holes.
  void append_zeros(uint64_t bytes);
  /// So many bytes that are the piece again and again, the last time perhaps cut.
  void append_repeated(std::string_view piece, uint64_t bytes);
  uint64_t offset() const { return offset_; }
  /// Errors: io `store.write`.
  Result<void> finish();

 private:
  void flush();
  void write_all(const char* data, uint64_t bytes);
  int fd_;
  int error_ = 0;  // errno of the first failure
  uint64_t offset_ = 0;
  bool ends_in_hole_ = false;
  std::string pending_;
};

using Fill = std::function<Result<void>(int descriptor)>;

/// Fills a temporary file in the directory of `path`, whose name begins with temporary_prefix, and renames it to
/// `path`; after a failure nothing is left behind. No fsync: what a cache loses in a power cut can be made again.
/// Errors: io `store.write`; those of fill.
Result<void> replace_file(const std::filesystem::path& path, const std::string& temporary_prefix, const Fill& fill);

/// Fills a file that has no name and goes with its last descriptor: in the directory for temporary files, else in
/// memory. The descriptor is read-only. Errors: io `store.write`; those of fill.
Result<Descriptor> make_unnamed_file(const Fill& fill);
/// The same, in memory.
Result<Descriptor> make_memory_file(const Fill& fill);

/// What the names of temporary files of a segment begin with.
std::string temporary_prefix(const std::filesystem::path& segment);

}  // namespace stepwise::store
