// Large buffers that are filled from front to back: with 4 KiB pages the faults of first touching them cost more than
// parsing what goes in.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stepwise::ingest {

/// Asks for 2 MiB pages under the buffer's reserved room. A hint: where the kernel has none, nothing changes.
template <class T>
void prefer_huge_pages(std::vector<T>& reserved) {
  constexpr uintptr_t kHugePage = 2u << 20;
  const auto begin = (reinterpret_cast<uintptr_t>(reserved.data()) + kHugePage - 1) & ~(kHugePage - 1);
  const auto end = (reinterpret_cast<uintptr_t>(reserved.data()) + reserved.capacity() * sizeof(T)) & ~(kHugePage - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace stepwise::ingest
