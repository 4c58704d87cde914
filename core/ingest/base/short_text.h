// Texts of up to 16 bytes as two words, and the ends of longer ones: most cells are that short, and words compare
// without a call.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace stepwise::ingest {

/// Of two texts of one length up to kShortBytes, equal words mean equal texts. Of longer ones: the first and the last
/// eight bytes.
struct TextWords {
  uint64_t head = 0, tail = 0;
  friend bool operator==(const TextWords&, const TextWords&) = default;
};

inline constexpr size_t kShortBytes = 16;

inline TextWords words_of(std::string_view text) {
  const char* const bytes = text.data();
  const size_t size = text.size();
  TextWords words;
  if (size >= 8) {  // the halves overlap below 16
    std::memcpy(&words.head, bytes, 8);
    std::memcpy(&words.tail, bytes + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(&words.head, bytes, 4);
    std::memcpy(&words.tail, bytes + size - 4, 4);
  } else if (size > 0) {
    const auto byte = [bytes](size_t at) { return uint64_t{static_cast<unsigned char>(bytes[at])}; };
    words.head = byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  }
  return words;
}

}  // namespace stepwise::ingest
