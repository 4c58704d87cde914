#include "core/ingest/text_interner.h"

#include <cstring>

#include "core/base/text.h"

namespace stepwise::ingest {

size_t TextInterner::slot_of(std::string_view text) {
  // Length, first and last eight bytes: enough to keep a column's frequent texts apart.
  uint64_t head = 0, tail = 0;
  if (text.size() >= 8) {
    std::memcpy(&head, text.data(), 8);
    std::memcpy(&tail, text.data() + text.size() - 8, 8);
  } else if (!text.empty()) {
    std::memcpy(&head, text.data(), text.size());
  }
  const uint64_t mixed = (head ^ (tail * 0x9E3779B97F4A7C15ull) ^ text.size()) * 0xFF51AFD7ED558CCDull;
  return mixed >> 56;
}

int32_t TextInterner::slow_code_of(std::string_view text, Slot& slot) {
  if (!is_valid_utf8(text)) {
    ++repaired_;
    return dictionary_->intern(to_valid_utf8(text));
  }
  const int32_t code = dictionary_->intern(text);
  slot = {dictionary_->at(code), code};
  return code;
}

}  // namespace stepwise::ingest
