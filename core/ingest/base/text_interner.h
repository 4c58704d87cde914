// Texts of one column on their way into the segment's dictionary: the few that come again and again are found without
// hashing them whole; what is no UTF-8 is made so, and counted.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/ingest/base/short_text.h"
#include "core/store/table_builder.h"

namespace stepwise::ingest {

class TextInterner {
 public:
  explicit TextInterner(store::Dictionary& dictionary) : dictionary_(&dictionary) {}

  int32_t code_of(std::string_view text) { return code_of(text, words_of(text)); }
  /// words: the text's.
  int32_t code_of(std::string_view text, const TextWords& words) {
    Slot& slot = slots_[slot_of(words, text.size())];
    if (slot.code >= 0 && slot.words == words && slot.text.size() == text.size() &&
        (text.size() <= kShortBytes || std::memcmp(slot.text.data() + 8, text.data() + 8, text.size() - 16) == 0)) {
      return slot.code;
    }
    return slow_code_of(text, words, slot);
  }
  uint64_t repaired() const { return repaired_; }

 private:
  struct Slot {
    TextWords words;
    std::string_view text;  // the dictionary's own
    int32_t code = -1;
  };
  /// Enough to keep a column's frequent texts apart.
  static size_t slot_of(const TextWords& words, size_t size) {
    return (words.head ^ (words.tail * 0x9E3779B97F4A7C15ull) ^ size) * 0xFF51AFD7ED558CCDull >> 56;
  }
  int32_t slow_code_of(std::string_view text, const TextWords& words, Slot& slot);

  store::Dictionary* dictionary_;
  std::array<Slot, 256> slots_;
  uint64_t repaired_ = 0;
};

}  // namespace stepwise::ingest
