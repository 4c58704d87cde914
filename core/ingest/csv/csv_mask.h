// Where the bytes stand that end cells: commas, quotes and line feeds of 64 bytes, one bit each.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace stepwise::ingest {

/// Bit i: of byte i.
struct CsvMask {
  uint64_t commas = 0;
  uint64_t others = 0;  // double quotes and line feeds

  uint64_t all() const { return commas | others; }
  /// What stands before the first of the others.
  uint64_t plain() const { return others == 0 ? ~uint64_t{0} : (others & (~others + 1)) - 1; }
  void keep(uint64_t bits) {
    commas &= bits;
    others &= bits;
  }
  friend bool operator==(const CsvMask&, const CsvMask&) = default;
};

/// Reads 64 bytes.
inline CsvMask csv_mask_portable(const char* bytes) {
  CsvMask mask;
  for (int i = 0; i < 64; ++i) {
    const char c = bytes[i];
    mask.commas |= static_cast<uint64_t>(c == ',') << i;
    mask.others |= static_cast<uint64_t>(c == '"' || c == '\n') << i;
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
    mask.others |= bits(_mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, line)), i);
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
