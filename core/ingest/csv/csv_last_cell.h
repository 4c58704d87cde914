// Whether a cell says what the one above it says: very many do, and need not be read again.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace stepwise::ingest {

/// The cell above, if it was short. Cells come from CsvBlock: kBytes may be read from where one begins.
class LastCell {
 public:
  static constexpr size_t kBytes = 16;

  bool is_again(std::string_view cell) const { return cell.size() == size_ && begins_alike(cell); }
  void keep(std::string_view cell) {
    size_ = cell.size() <= kBytes ? cell.size() : kNone;
    bits_ = (uint32_t{1} << (size_ & 31)) - 1;
    std::memcpy(&bytes_, cell.data(), kBytes);
  }
  void forget() { size_ = kNone; }

 private:
  static constexpr size_t kNone = SIZE_MAX;

#if defined(__SSE2__)
  /// Without a branch for each length.
  bool begins_alike(std::string_view cell) const {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cell.data()));
    const auto alike = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(here, bytes_)));
    return (~alike & bits_) == 0;
  }
  __m128i bytes_ = _mm_setzero_si128();
#else
  bool begins_alike(std::string_view cell) const { return std::memcmp(cell.data(), bytes_, size_) == 0; }
  char bytes_[kBytes] = {};
#endif
  size_t size_ = kNone;
  uint32_t bits_ = 0;  // as many as it has bytes
};

}  // namespace stepwise::ingest
