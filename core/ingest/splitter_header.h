// The keys of a trace that is an object: finds traceEvents among them, at whatever place, and keeps what is small.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ingest/splitter_check.h"

namespace stepwise::ingest {

class TopLevelObject {
 public:
  enum class Event : uint8_t {
    need_more,
    array_begins,  // just past the '[' of traceEvents
    not_an_array,  // traceEvents is something else; it goes on behind it
    closed,        // just past the object's '}'
    broken,
  };
  struct Step {
    Event event = Event::need_more;
    size_t taken = 0;
  };

  /// From just past the '{', or past the ']' of traceEvents.
  Step feed(std::string_view bytes);
  /// Tells that the array that began has ended.
  void array_ended() { expect_ = Expect::comma_or_end; }

  /// Key and raw value, in file order; values of more than kMaxValueBytes, and those beyond kMaxBytes in all, are left
  /// out.
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }
  uint64_t left_out() const { return left_out_; }

  // Process groups of a large cluster, or a benchmark's own notes, take some 20 KB.
  static constexpr size_t kMaxValueBytes = 256 << 10, kMaxBytes = 4 << 20;

 private:
  enum class Expect : uint8_t { key_or_end, key, key_text, key_escaped, colon, value, inside_value, comma_or_end };
  Event take_punctuation(char c);
  Step take_value(std::string_view bytes);

  Expect expect_ = Expect::key_or_end;
  JsonChecker checker_;
  std::string key_, value_;
  bool value_fits_ = true;
  size_t bytes_ = 0;
  uint64_t left_out_ = 0;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace stepwise::ingest
