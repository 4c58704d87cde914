// Texts of one column on their way into the segment's dictionary: the few that come again and again are found without
// hashing them whole; what is no UTF-8 is made so, and counted.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/store/table_builder.h"

namespace stepwise::ingest {

class TextInterner {
 public:
  explicit TextInterner(store::Dictionary& dictionary) : dictionary_(&dictionary) {}

  int32_t code_of(std::string_view text) {
    Slot& slot = slots_[slot_of(text)];
    if (slot.code >= 0 && slot.text == text) return slot.code;
    return slow_code_of(text, slot);
  }
  uint64_t repaired() const { return repaired_; }

 private:
  struct Slot {
    std::string_view text;  // the dictionary's own
    int32_t code = -1;
  };
  static size_t slot_of(std::string_view text);
  int32_t slow_code_of(std::string_view text, Slot& slot);

  store::Dictionary* dictionary_;
  std::array<Slot, 256> slots_;
  uint64_t repaired_ = 0;
};

}  // namespace stepwise::ingest
