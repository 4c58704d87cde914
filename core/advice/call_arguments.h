// The arguments of a call as they are written in code.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace stepwise::advice {

struct WrittenArgument {
  std::string_view name;  // empty: by position
  std::string_view value;
};

/// `a, b=[1, 2], c="x,y"`: cut at commas outside quotes and brackets. nullopt: brackets or quotes do not close.
std::optional<std::vector<WrittenArgument>> split_arguments(std::string_view text);

/// A number, a quoted text, True, False, None, a dotted name such as torch.bfloat16, or a word that says how much: not
/// a variable, not an expression.
bool is_literal(std::string_view text);

/// "unlimited", "max", "off": a word that says how much, or whether. No program has it for a variable of its own.
bool sounds_like_value(std::string_view word);

/// Without one pair of quotes around it.
std::string_view unquoted(std::string_view text);

}  // namespace stepwise::advice
