// Whether a text tells its reader not to use something. Internal to core/advice.
#pragma once

#include <cstdint>
#include <string_view>

namespace stepwise::advice {

/// in_sentence: a word of negation stands somewhere in the sentence, so that it may say anything of the name.
/// at_once: it says right before the name not to set or use it: "never X", "do not set X", 不要设置 X.
enum class Negation : uint8_t { none, in_sentence, at_once };

/// Of what stands at [begin, end) of `text`. Looks at a fixed number of bytes.
Negation negation_of(std::string_view text, size_t begin, size_t end);

/// The sentence that [begin, end) stands in, at most a fixed number of bytes to each side.
std::string_view sentence_at(std::string_view text, size_t begin, size_t end);

/// A word of negation, in lower case text.
bool holds_negation(std::string_view low);

}  // namespace stepwise::advice
