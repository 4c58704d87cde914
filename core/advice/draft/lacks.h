// What a piece of advice leaves out of what its reader needs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stepwise::advice {

enum class Lack : uint8_t { trigger, gain, example, source };
const char* to_string(Lack lack);

/// By labels, words (English and Chinese), code and addresses; `columns`: the head of the table that it is a row of.
/// Of each kind at most once, in the order of Lack. Linear.
std::vector<Lack> lacks_of(std::string_view text, std::string_view columns = {});

}  // namespace stepwise::advice
