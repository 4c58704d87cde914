// A bound on what SQLite allocates for one query. SQLite's own limits hold for the whole process, and would stop the
// readers of databases as well; so its allocator is ours, and counts for each thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stepwise::query {

/// Makes our allocator SQLite's: once, before the process uses SQLite for anything. False: too late, queries run
/// without a bound. [any thread]
bool install_memory_limit();

/// While it lives, what SQLite allocates on this thread beyond what it frees stays within so many bytes: more fails
/// with SQLITE_NOMEM. One at a time on a thread.
class MemoryLimit {
 public:
  explicit MemoryLimit(size_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  /// The most that was taken at any time.
  int64_t peak_bytes() const;
};

}  // namespace stepwise::query
