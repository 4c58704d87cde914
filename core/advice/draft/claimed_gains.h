// Gains that a draft promises in figures.
#pragma once

#include <string_view>
#include <vector>

namespace stepwise::advice {

struct ClaimedGain {
  size_t offset = 0, length = 0;  // of the figure or range: "10%~20%", "~2x"; bytes of the text
  std::string_view sentence;
};

/// A share or a multiple beside a word of gain: "improves by 30 %", "2x faster", 预期收益 10%~20%. Linear.
std::vector<ClaimedGain> find_claimed_gains(std::string_view text);

}  // namespace stepwise::advice
