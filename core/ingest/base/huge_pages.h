// Large buffers that are filled from front to back: with 4 KiB pages the faults of first touching them cost more than
// parsing what goes in.
#pragma once

#include <malloc.h>
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

/// Values that are all zero: their memory goes back to the system, which has zeros for them when they are read. A
/// column of nothing but nulls then takes none.
template <class T>
void give_back_zeros(std::vector<T>& values) {
  constexpr uintptr_t kPage = 4u << 10;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(values.data()) + kPage - 1) & ~(kPage - 1);
  const uintptr_t end = reinterpret_cast<uintptr_t>(values.data() + values.size()) & ~(kPage - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

/// Large buffers go back to the system when they are freed. By itself malloc keeps more and more of them for later, and
/// what a timeline of some GiB leaves in its heaps is as much as a fifth of its tables. For the whole process.
inline void give_back_large_buffers() {
#ifdef M_MMAP_THRESHOLD
  constexpr int kLarge = 1 << 20;
  static const bool done = mallopt(M_MMAP_THRESHOLD, kLarge) == 1;
  static_cast<void>(done);
#endif
}

}  // namespace stepwise::ingest
