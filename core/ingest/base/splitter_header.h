// The keys of a trace that is an object: finds its list (traceEvents) among them, at whatever place, and keeps what is
// small.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ingest/base/splitter_check.h"

namespace stepwise::ingest {

/// Which list of an object is cut into its elements. The texts are literals.
struct WantedList {
  const char* key;
  const char* is_no_list;  // told where the key has another value
  const char* is_missing;  // told where the key is not there
};
inline constexpr WantedList kTraceEvents{"traceEvents", "traceEvents is no list.",
                                         "It has no list of events (traceEvents)."};

class TopLevelObject {
 public:
  explicit TopLevelObject(const char* list_key = kTraceEvents.key) : list_key_(list_key) {}

  enum class Event : uint8_t {
    need_more,
    array_begins,  // just past the '[' of the list
    not_an_array,  // the list's key has another value; it goes on behind it
    closed,        // just past the object's '}'
    broken,
  };
  struct Step {
    Event event = Event::need_more;
    size_t taken = 0;
  };

  /// From just past the '{', or past the ']' of the list.
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

  const char* list_key_;
  Expect expect_ = Expect::key_or_end;
  JsonChecker checker_;
  std::string key_, value_;
  bool value_fits_ = true;
  size_t bytes_ = 0;
  uint64_t left_out_ = 0;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace stepwise::ingest
