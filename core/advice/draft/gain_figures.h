// What may say how much is gained: shares, multiples, times, fractions and verbs such as "doubles". Internal to
// core/advice/draft.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stepwise::advice {

/// share: 10 %, 2x, ten percent, 百分之十, 一成. time: 3 ms. fraction: a third, 一半. bare: a number without a unit.
/// change: "from 34.6 ms to 30 ms". verb: doubles, 翻倍, of what a gain is of.
enum class GainKind : uint8_t { share, time, fraction, bare, change, verb };

struct GainFigure {
  size_t begin = 0, end = 0;  // bytes of the text
  GainKind kind = GainKind::share;
};

/// In the order of the text, none within another. `low`: a text in lower case. Linear.
std::vector<GainFigure> find_gain_figures(std::string_view low);

}  // namespace stepwise::advice
