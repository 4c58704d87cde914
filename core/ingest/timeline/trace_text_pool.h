// Numbers the texts that one parser meets, in the order of first appearance. A text is known by its raw form, so that
// one seen before is neither unescaped nor copied. What was met for the first time is handed on with each window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/timeline/trace_event.h"
#include "core/ingest/timeline/trace_text.h"

namespace stepwise::ingest {

class TextPool {
 public:
  /// Forgets all texts if they have become many. `fresh` receives the window's new ones.
  void begin_window(FreshTexts& fresh);

  /// raw: what stands between the quotes of a JSON string. kNoText: an escape that JSON does not have.
  int32_t number_of(std::string_view raw, TextForm form = TextForm::plain);

 private:
  // Memory is bounded for each parser; real profiles stay far below.
  static constexpr size_t kMaxBytes = 8 << 20, kMaxTexts = 1 << 17;

  struct Entry {
    uint64_t hash = 0;
    size_t begin = 0;  // in raw_
    uint32_t length = 0;
    TextForm form = TextForm::plain;
  };
  int32_t add(std::string_view raw, TextForm form, uint64_t hash, size_t slot);
  void grow();

  FreshTexts* fresh_ = nullptr;
  std::string raw_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  // number + 1; 0: free. At most half are used.
};

}  // namespace stepwise::ingest
