// A file mapped read-only, that outlives what others do to the file. Where a mapped file is cut, or its disk fails, the
// kernel sends SIGBUS to whoever reads the part that is gone, which would end the process. The first mapping installs a
// handler for the whole process: what can no longer be read turns into zeros, the mapping is broken from then on, and
// whoever read it finds out by is_broken. A SIGBUS that comes of anything else goes where it went before.
#pragma once

#include <cstdint>

#include "core/base/error.h"

namespace stepwise::store {

/// [any thread]
class Mapping {
 public:
  /// The first `bytes` of the file. Errors: io `store.open`.
  static Result<Mapping> of(int descriptor, uint64_t bytes);
  Mapping() = default;
  Mapping(Mapping&& other) noexcept { swap(other); }
  Mapping& operator=(Mapping&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Mapping();

  const char* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  /// Some of what was read since it was made, or all that is read from now on, are zeros that the file never held.
  bool is_broken() const;

 private:
  Mapping(const char* data, uint64_t bytes, uint32_t place) : data_(data), bytes_(bytes), place_(place) {}
  void swap(Mapping& other);

  const char* data_ = nullptr;
  uint64_t bytes_ = 0;
  uint32_t place_ = 0;  // among those that the handler knows
};

}  // namespace stepwise::store
