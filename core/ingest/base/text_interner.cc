#include "core/ingest/base/text_interner.h"

#include "core/base/text.h"

namespace stepwise::ingest {

int32_t TextInterner::slow_code_of(std::string_view text, const TextWords& words, Slot& slot) {
  if (!is_valid_utf8(text)) {
    ++repaired_;
    return dictionary_->intern(to_valid_utf8(text));
  }
  const int32_t code = dictionary_->intern(text);
  slot = {words, dictionary_->at(code), code};
  return code;
}

}  // namespace stepwise::ingest
