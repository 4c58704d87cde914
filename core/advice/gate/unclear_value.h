// Whether a value seems to stand beside a known name, in a form that was not read: "X should be 7", "raise X from 1 to
// 7", "X -> 7". What nobody can check must not pass as if only the name were said. Internal to core/advice.
#pragma once

#include <cstddef>
#include <string_view>

namespace stepwise::advice {

/// Of the name at [begin, end) of a readable text: a number without a unit, a step, rank or version in the same
/// sentence, or words and signs of giving a value right behind it. Looks at a fixed number of bytes.
bool has_unclear_value(std::string_view text, size_t begin, size_t end);

}  // namespace stepwise::advice
