// What an exporter counts while it writes.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "clients/example/example.h"

namespace stepwise::example {

inline void count_file(ExampleReport& report, int64_t bytes) {
  ++report.files;
  report.bytes += bytes;
}
inline Result<void> count_file(ExampleReport& report, Result<int64_t> bytes) {
  if (!bytes.ok()) return bytes.take_error();
  count_file(report, bytes.value());
  return {};
}

/// Errors: io `example.write`.
inline Result<void> make_directory(const std::filesystem::path& dir) {
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  if (!failed) return {};
  return Error{ErrorKind::io, "example.write", "Cannot create " + dir.string() + ": " + failed.message() + ".",
               "Choose a directory that is writable.", dir.string()};
}

}  // namespace stepwise::example
