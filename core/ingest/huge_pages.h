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
  const bool is_large = count * sizeof(T) >= kHugePage;
  // A huge page more, so that the last values lie in a whole one.
  values.reserve(is_large ? count + kHugePage / sizeof(T) : count);
  if (!is_large) return;
  const auto first = reinterpret_cast<uintptr_t>(values.data());
  const uintptr_t begin = (first + kHugePage - 1) & ~(kHugePage - 1);
  const uintptr_t end = reinterpret_cast<uintptr_t>(values.data() + values.capacity()) & ~(kHugePage - 1);
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
  // The few small pages before the first huge one come all at once.
  const uintptr_t page = first & ~(kPage - 1);
  madvise(reinterpret_cast<void*>(page), begin - page, MADV_POPULATE_WRITE);
#endif
}

}  // namespace stepwise::ingest
