// Texts of one column on their way into the segment's dictionary: what is no UTF-8 is made so, and counted.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/store/table_builder.h"

namespace stepwise::ingest {

class TextInterner {
 public:
  explicit TextInterner(store::Dictionary& dictionary) : dictionary_(&dictionary) {}

  int32_t code_of(std::string_view text);
  uint64_t repaired() const { return repaired_; }

 private:
  store::Dictionary* dictionary_;
  uint64_t repaired_ = 0;
};

}  // namespace stepwise::ingest
