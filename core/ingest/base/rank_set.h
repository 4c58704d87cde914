// Groups of ranks, as cluster analyses write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

/// "3,11": ascending, each once, however the file orders them.
std::string to_text(std::vector<int64_t> ranks);
/// "(11, 3)", "(3,)", "[3]", "{3}" -> "3,11"...; nullopt: it is no group of ranks.
std::optional<std::string> rank_set_of(std::string_view tuple);

}  // namespace stepwise::ingest
