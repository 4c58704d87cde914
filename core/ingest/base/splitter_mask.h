// Where brackets stand outside strings, 64 bytes of JSON at a time, one bit a byte.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace stepwise::ingest {

/// The characters of a block that the structure of JSON hangs on, inside strings or not.
struct CharacterMasks {
  uint64_t quote = 0, backslash = 0;
  uint64_t open = 0, close = 0;  // { [ and } ]
  friend bool operator==(const CharacterMasks&, const CharacterMasks&) = default;
};

/// Reads 64 bytes.
inline CharacterMasks character_masks_portable(const char* bytes) {
  CharacterMasks masks;
  for (int i = 0; i < 64; ++i) {
    const char c = bytes[i];
    const uint64_t bit = uint64_t{1} << i;
    if (c == '"') masks.quote |= bit;
    if (c == '\\') masks.backslash |= bit;
    if (c == '{' || c == '[') masks.open |= bit;
    if (c == '}' || c == ']') masks.close |= bit;
  }
  return masks;
}

#if defined(__SSE2__)
inline CharacterMasks character_masks_sse2(const char* bytes) {
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  // Braces and square brackets differ in bit 5 only, and no other character maps to a brace when it is set.
  const __m128i bit5 = _mm_set1_epi8(0x20), open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
  CharacterMasks masks;
  for (int i = 0; i < 4; ++i) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    const __m128i folded = _mm_or_si128(block, bit5);
    const auto bits = [i](__m128i equal) {
      return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(equal))) << (16 * i);
    };
    masks.quote |= bits(_mm_cmpeq_epi8(block, quote));
    masks.backslash |= bits(_mm_cmpeq_epi8(block, backslash));
    masks.open |= bits(_mm_cmpeq_epi8(folded, open));
    masks.close |= bits(_mm_cmpeq_epi8(folded, close));
  }
  return masks;
}
#endif

inline CharacterMasks character_masks(const char* bytes) {
#if defined(__SSE2__)
  return character_masks_sse2(bytes);
#else
  return character_masks_portable(bytes);
#endif
}

/// Brackets outside strings.
struct Brackets {
  uint64_t open = 0, close = 0;
};

/// Follows strings and escapes from block to block. A fresh one stands outside a string.
class StringTracker {
 public:
  Brackets outside_strings(const CharacterMasks& masks) {
    const uint64_t quotes = masks.quote & ~escaped(masks.backslash);
    // Bit i: the number of quotes up to and with i is odd, that is, i is an opening quote or inside a string.
    const uint64_t in_string = prefix_xor(quotes) ^ in_string_;
    in_string_ = static_cast<uint64_t>(static_cast<int64_t>(in_string) >> 63);
    return {masks.open & ~in_string, masks.close & ~in_string};
  }

 private:
  /// Characters that an odd run of backslashes stands before.
  uint64_t escaped(uint64_t backslash) {
    if (backslash == 0) {
      const uint64_t first = next_is_escaped_;
      next_is_escaped_ = 0;
      return first;
    }
    constexpr uint64_t kEven = 0x5555555555555555;
    backslash &= ~next_is_escaped_;
    const uint64_t follows = (backslash << 1) | next_is_escaped_;
    // Adding a run's first bit to the run carries to its end: runs that start at an odd bit are told from the others by
    // the parity of where the carry lands.
    const uint64_t odd_starts = backslash & ~kEven & ~follows;
    uint64_t even_ends = 0;
    next_is_escaped_ = __builtin_add_overflow(odd_starts, backslash, &even_ends) ? 1 : 0;
    const uint64_t invert = even_ends << 1;
    return (kEven ^ invert) & follows;
  }
  static uint64_t prefix_xor(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
  }

  uint64_t next_is_escaped_ = 0;  // 0 or 1
  uint64_t in_string_ = 0;        // all ones while inside a string
};

}  // namespace stepwise::ingest
