// Which values a parameter takes, as the knowledge base declares it, and whether a written value is one of them.
//
//   {"one_of": ["0", "1"], "undocumented": ["2"]}         undocumented: the source code knows it, no document does
//   {"integer": {"min": 1, "max": 32, "multiple_of": 4}}  each may be left out
//   {"number": {"min": 0, "max": 1}}
//   {"matches": "[0-9]+,[0-9]+"}                          RE2, the whole value
//   {"list_of": GRAMMAR, "separator": ","}
//   {"pairs": {KEY: GRAMMAR}, "separator": ";", "assign": "="}
//   {"switch": true}                                      takes no value
//   {"call": [{"name": "cube_num", "value": GRAMMAR, "keyword": true}]}   keyword: never by position
//
// Cost is linear in the value's length, whatever it holds. Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace stepwise::advice {

enum class Fit : uint8_t { yes, undocumented, no };

struct ValueVerdict {
  Fit fit = Fit::yes;
  std::string why{};  // unless it fits: what is wrong with it, and what is right
  /// Of a list or of pairs: the piece that does not fit, with its key and "=" in front if it has one; else empty.
  std::string piece{};
};

class ValueGrammar {
 public:
  /// Errors: bad_data `knowledge.value`, where = the JSON pointer below the grammar.
  static Result<ValueGrammar> from_json(const Json& json);
  /// Of a call: what stands between its brackets. Quotes around a text count as none.
  ValueVerdict check(std::string_view written) const;
  /// Whether it is of a call's arguments.
  bool is_call() const;
  /// Of a call: whether it has an argument of that name.
  bool has_argument(std::string_view name) const;
  /// Numbers, patterns and lists of them, not words of its own: a word in place of its value may be a variable.
  bool is_without_words() const;
  /// Of a call: those of its arguments that `check` cannot judge though they have a grammar, since they are written as
  /// variables or expressions.
  std::vector<std::string> open_arguments(std::string_view written) const;
  /// "one of 0, 1", "a whole number from 1 to 32"
  std::string says() const;

  struct Node;

 private:
  explicit ValueGrammar(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

}  // namespace stepwise::advice
