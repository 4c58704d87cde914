// Gains that a draft promises.
#pragma once

#include <string_view>
#include <vector>

namespace stepwise::advice {

struct ClaimedGain {
  size_t offset = 0, length = 0;  // of the figure or range: "10%~20%", "~2x", "doubles"; bytes of the text
  std::string_view sentence;
  bool is_verb = false;  // it is the verb itself: doubles, 翻倍
};

/// How much is gained, beside a word of gain: "improves by 30 %", "2x faster", "saves 3 ms", "cuts the step by a
/// third", "doubles throughput", "from 34.6 ms to 30 ms", 预期收益 10%~20%. What a part takes is none: "reduce idle
/// time: free is 79.9 % of the step". Linear.
std::vector<ClaimedGain> find_claimed_gains(std::string_view text);

}  // namespace stepwise::advice
