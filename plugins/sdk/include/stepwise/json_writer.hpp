// Writing a result: JSON straight into a string, without a tree in between.
//
//   JsonWriter w;
//   w.begin_object().field("count", 3).key("rows").begin_array();
//   ...
//   w.end_array().end_object();
//   call.emit(w);
//
// Whatever goes in, valid JSON comes out: text is escaped, bytes that are no UTF-8 become U+FFFD, numbers that are no
// numbers become null. Doubles are written so that reading them gives the same double, but no zero is negative. A text
// value longer than kMaxTextBytes is cut, its size behind a mark: one name of megabytes must not use up what a result
// may hold. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "stepwise/value.hpp"

namespace stepwise::sdk {

inline constexpr size_t kMaxTextBytes = 16 * 1024;

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::nullptr_t);
  JsonWriter& value(bool v);
  JsonWriter& value(double v);
  JsonWriter& value(std::string_view v);
  JsonWriter& value(const std::string& v) { return value(std::string_view(v)); }
  JsonWriter& value(const char* v) { return value(std::string_view(v)); }
  JsonWriter& value(const Value& v);
  template <class Integer>
  requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>) JsonWriter& value(Integer v) {
    if constexpr (std::is_signed_v<Integer>) {
      return signed_integer(v);
    } else {
      return unsigned_integer(v);
    }
  }
  /// null where there is no value.
  template <class T>
  JsonWriter& value(const std::optional<T>& v) {
    return v ? value(*v) : value(nullptr);
  }

  template <class T>
  JsonWriter& field(std::string_view name, const T& v) {
    return key(name).value(v);
  }

  /// What was written. Complete once every begin has its end.
  const std::string& str() const { return out_; }
  bool complete() const { return open_.empty() && !out_.empty(); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& signed_integer(int64_t v);
  JsonWriter& unsigned_integer(uint64_t v);
  void separate();
  void quote(std::string_view text);

  std::string out_;
  std::vector<bool> open_;  // one for each open bracket: whether something stands in it already
  bool after_key_ = false;
};

}  // namespace stepwise::sdk
