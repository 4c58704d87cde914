// Where the bytes stand that end cells: commas, quotes and line feeds of 64 bytes, one bit each.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace stepwise::ingest {

/// The lowest `count` bits, 64 at most.
inline uint64_t first_bits(size_t count) { return count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

/// Bit i: of byte i.
struct CsvMask {
  uint64_t commas = 0;
  uint64_t quotes = 0;
  uint64_t lines = 0;

  uint64_t all() const { return commas | quotes | lines; }
  void keep(uint64_t bits) {
    commas &= bits;
    quotes &= bits;
    lines &= bits;
  }
  friend bool operator==(const CsvMask&, const CsvMask&) = default;
};

/// Bit i: whether an odd number of quotes stands up to byte i: from one that opens up to before the one that closes.
inline uint64_t inside_of_quotes(uint64_t quotes) {
#pragma GCC unroll 6
  for (unsigned shift = 1; shift < 64; shift *= 2) quotes ^= quotes << shift;
  return quotes;
}

/// Reads 64 bytes.
inline CsvMask csv_mask_portable(const char* bytes) {
  CsvMask mask;
  for (int i = 0; i < 64; ++i) {
    const char c = bytes[i];
    mask.commas |= static_cast<uint64_t>(c == ',') << i;
    mask.quotes |= static_cast<uint64_t>(c == '"') << i;
    mask.lines |= static_cast<uint64_t>(c == '\n') << i;
  }
  return mask;
}

#if defined(__SSE2__)
inline CsvMask csv_mask_sse2(const char* bytes) {
  const __m128i comma = _mm_set1_epi8(','), quote = _mm_set1_epi8('"'), line = _mm_set1_epi8('\n');
  const auto bits = [](__m128i hit, int i) {
    return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(hit))) << (16 * i);
  };
  CsvMask mask;
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    mask.commas |= bits(_mm_cmpeq_epi8(block, comma), i);
    mask.quotes |= bits(_mm_cmpeq_epi8(block, quote), i);
    mask.lines |= bits(_mm_cmpeq_epi8(block, line), i);
  }
  return mask;
}
#endif

inline CsvMask csv_mask(const char* bytes) {
#if defined(__SSE2__)
  return csv_mask_sse2(bytes);
#else
  return csv_mask_portable(bytes);
#endif
}

}  // namespace stepwise::ingest
