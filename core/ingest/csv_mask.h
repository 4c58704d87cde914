// Where the bytes stand that end cells: commas, quotes and line feeds of 64 bytes, one bit each.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace stepwise::ingest {

/// Bit i: byte i is a comma, a double quote or a line feed. Reads 64 bytes.
inline uint64_t csv_mask_portable(const char* bytes) {
  uint64_t mask = 0;
  for (int i = 0; i < 64; ++i) {
    const char c = bytes[i];
    mask |= static_cast<uint64_t>(c == ',' || c == '"' || c == '\n') << i;
  }
  return mask;
}

#if defined(__SSE2__)
inline uint64_t csv_mask_sse2(const char* bytes) {
  const __m128i comma = _mm_set1_epi8(','), quote = _mm_set1_epi8('"'), line = _mm_set1_epi8('\n');
  uint64_t mask = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    const __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, comma), _mm_cmpeq_epi8(block, quote)),
                                     _mm_cmpeq_epi8(block, line));
    mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(hit))) << (16 * i);
  }
  return mask;
}
#endif

inline uint64_t csv_mask(const char* bytes) {
#if defined(__SSE2__)
  return csv_mask_sse2(bytes);
#else
  return csv_mask_portable(bytes);
#endif
}

}  // namespace stepwise::ingest
