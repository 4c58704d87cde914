#include "core/ingest/base/rank_set.h"

#include <algorithm>

#include "core/base/text.h"

namespace stepwise::ingest {

std::string to_text(std::vector<int64_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::string out;
  for (const int64_t rank : ranks) out += (out.empty() ? "" : ",") + std::to_string(rank);
  return out;
}

std::optional<std::string> rank_set_of(std::string_view tuple) {
  tuple = trim(tuple);
  if (tuple.size() < 2) return std::nullopt;
  const std::string_view brackets[] = {"()", "[]", "{}"};
  const auto fits = [&](std::string_view pair) { return tuple.front() == pair[0] && tuple.back() == pair[1]; };
  if (std::none_of(std::begin(brackets), std::end(brackets), fits)) return std::nullopt;
  tuple = trim(tuple.substr(1, tuple.size() - 2));
  std::vector<int64_t> ranks;
  while (!tuple.empty()) {
    const size_t comma = std::min(tuple.find(','), tuple.size());
    const auto rank = to_integer(tuple.substr(0, comma));
    if (!rank || *rank < 0) return std::nullopt;
    ranks.push_back(*rank);
    tuple = trim(tuple.substr(std::min(comma + 1, tuple.size())));  // Python ends a single one with a comma
  }
  if (ranks.empty()) return std::nullopt;
  return to_text(std::move(ranks));
}

}  // namespace stepwise::ingest
