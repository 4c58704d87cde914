// A file written front to back through one buffer, with the number formats of the profiler's files.
// Not shared between threads. A failed write is remembered and told by close().
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace stepwise::example {

class TextFile {
 public:
  /// Creates or overwrites. Errors: io `example.write`.
  static Result<TextFile> create(const std::filesystem::path& path);

  TextFile& text(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kFlushBytes) flush();
    return *this;
  }
  TextFile& integer(int64_t value);
  /// Microseconds with exactly three decimals: 1736408883688177.930
  TextFile& us3(int64_t ns);
  /// A decimal as Python prints a float, exact: `value` / 10^`digits` without trailing zeros but with one decimal.
  TextFile& decimal(int64_t value, int digits);
  TextFile& us(int64_t ns) { return decimal(ns, 3); }
  TextFile& ms(int64_t ns) { return decimal(ns, 6); }
  /// Microseconds with the device clock's part below a nanosecond (in 1/32 ns, below one half): 53.7410625
  TextFile& device_us(int64_t ns, int thirty_seconds);
  /// As Python prints the double: shortest text that reads back the same, at least one decimal.
  TextFile& python_float(double value);

  /// (connection + offset) * 2^48 + 2^32 - 1: flow ids of the 2025-01 exporter pass 64 bits.
  TextFile& wide_flow_id(int64_t connection, int64_t offset);

  int64_t bytes() const { return written_ + static_cast<int64_t>(buffer_.size()); }
  /// Flushes and closes. Errors: io `example.write`.
  Result<void> close();

 private:
  static constexpr size_t kFlushBytes = 1u << 20;
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void flush();

  std::unique_ptr<std::FILE, Closer> file_;
  std::string path_, buffer_;
  int64_t written_ = 0;
  bool failed_ = false;
};

}  // namespace stepwise::example
