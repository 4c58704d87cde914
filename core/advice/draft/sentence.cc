#include "core/advice/draft/sentence.h"

#include <algorithm>
#include <array>

namespace stepwise::advice {
namespace {

constexpr size_t kReachBytes = 200;

}  // namespace

size_t sentence_end_at(std::string_view text, size_t at) {
  static constexpr auto kWide = std::to_array<std::string_view>({"。", "；", "！", "？"});
  const char c = text[at];
  if (c == '\n' || c == ';') return 1;
  if ((c == '.' || c == '!' || c == '?') && (at + 1 >= text.size() || text[at + 1] == ' ' || text[at + 1] == '\n')) {
    return 1;
  }
  for (const std::string_view one : kWide) {
    if (text.substr(at, one.size()) == one) return one.size();
  }
  return 0;
}

std::string_view sentence_around(std::string_view text, size_t offset, size_t length) {
  size_t begin = offset < kReachBytes ? 0 : offset - kReachBytes;
  for (size_t i = begin; i < offset; ++i) {
    if (const size_t size = sentence_end_at(text, i); size > 0) begin = i + size;
  }
  size_t end = offset + length;
  const size_t last = std::min(text.size(), end + kReachBytes);
  while (end < last && sentence_end_at(text, end) == 0) ++end;
  return text.substr(begin, end - begin);
}

}  // namespace stepwise::advice
