// The value that a text gives to a name. Internal to core/advice.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/gate/readable.h"
#include "core/advice/parameter.h"

namespace stepwise::advice {

/// How a value is given. assigned: NAME=1. spaced: NAME = 1. keyed: "NAME": 1, NAME: 1. told: "set NAME to 1".
/// beside: --name 1, ENV NAME 1, the next cell of a table. called: NAME(1).
enum class Giving : uint8_t { none, assigned, spaced, keyed, told, beside, called };

struct GivenValue {
  Giving how = Giving::none;
  std::optional<std::string> value{};  // nullopt besides a way: brackets with nothing between them
  size_t end = 0;                      // behind the value; of a call, behind the brackets
};

/// The text with what all look-ups need, computed once.
class Surroundings {
 public:
  explicit Surroundings(const Readable& readable);

  /// Of the name at [begin, end). `is_flag`: --name, whose value may follow a blank; `is_directive`: the sentence tells
  /// to set something, so that "to 1" gives a value.
  GivenValue value_of(size_t begin, size_t end, bool is_flag, bool is_directive) const;
  /// The name stands in quotes.
  bool is_quoted(size_t begin, size_t end) const;
  /// Inside the braces of options={...}, config={...}, --additional-config '{...}'.
  bool is_among_options(size_t at) const { return among_options_[at]; }
  /// Within brackets of any kind.
  bool is_in_brackets(size_t at) const { return in_brackets_[at]; }
  /// Where the bracket at `at` closes; npos: it does not.
  size_t close_of(size_t at) const { return closes_[at]; }

 private:
  GivenValue call_at(size_t at) const;
  GivenValue literal(size_t at, Giving how) const;
  GivenValue told_at(size_t at, bool is_directive) const;
  GivenValue cell_at(size_t at) const;
  GivenValue word_beside(size_t at) const;
  size_t blanks_end(size_t at) const;

  const Readable& readable_;
  std::string_view text_;
  std::vector<size_t> closes_;  // by position
  std::vector<bool> among_options_, in_brackets_;
};

/// A variable of a program in place of a value: cores in code that is no shell's, where no quotes are around it. In
/// prose, and behind a flag, nobody has variables.
bool is_variable(const Readable& readable, const GivenValue& given, const Parameter& parameter, bool is_in_brackets);

}  // namespace stepwise::advice
