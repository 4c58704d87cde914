// Large buffers that are filled from front to back: with 4 KiB pages the faults of first touching them cost more than
// parsing what goes in.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stepwise::ingest {

/// Room for `count` values, where it pays under 2 MiB pages. A hint: where the kernel has none, nothing changes.
template <class T>
void reserve_in_huge_pages(std::vector<T>& values, size_t count) {
  constexpr uintptr_t kPage = 4u << 10, kHugePage = 2u << 20;
  const size_t bytes = count * sizeof(T);
  if (bytes < 2 * kHugePage) {
    values.reserve(count);
    return;
  }
  // The allocator maps so large a buffer by itself, with its own header before it. A mapping of whole huge pages is
  // aligned to them by the kernel, so that the first and the last values lie in one, too.
  const size_t whole = (bytes + kPage + kHugePage - 1) / kHugePage * kHugePage;
  values.reserve((whole - kPage) / sizeof(T));
  const auto begin = reinterpret_cast<uintptr_t>(values.data()) & ~(kPage - 1);
  const auto end = reinterpret_cast<uintptr_t>(values.data() + values.capacity()) & ~(kPage - 1);
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace stepwise::ingest
