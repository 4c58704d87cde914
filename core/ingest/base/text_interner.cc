#include "core/ingest/base/text_interner.h"

#include "core/base/text.h"

namespace stepwise::ingest {

int32_t TextInterner::code_of(std::string_view text) {
  if (is_valid_utf8(text)) return dictionary_->intern(text);
  ++repaired_;
  return dictionary_->intern(to_valid_utf8(text));
}

}  // namespace stepwise::ingest
