// Follows the grammar of one JSON value through chunks of any size: slow and strict, for what is foreign or suspicious.
// It looks at structure only: what stands between two quotes, and how a number is written, is not judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

class JsonChecker {
 public:
  enum class Verdict : uint8_t { open, complete, broken };
  struct Step {
    Verdict verdict = Verdict::open;
    size_t taken = 0;  // complete: up to the value's end; broken: up to the first byte that cannot be
  };

  JsonChecker() { restart(); }
  /// Expects a value.
  void restart();
  Step feed(std::string_view bytes);

 private:
  enum class Expect : uint8_t {
    value,
    value_or_end,
    key,
    key_or_end,
    colon,
    comma_or_end,  // between tokens
    string,
    escaped,
    bare_word,  // inside one
  };
  bool take(char c, bool& value_ended, bool& not_mine);
  bool begin_value(char c);
  bool close(bool object);
  void value_done(bool& value_ended);

  Expect expect_ = Expect::value;
  bool string_is_key_ = false;
  std::vector<bool> nesting_;  // true: an object
};

}  // namespace stepwise::ingest
