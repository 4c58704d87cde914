// Which rank a run belongs to: what its files say of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// "profiler_info_12.json" -> 12
std::optional<uint32_t> rank_in_name(std::string_view path);

/// "dlrm_eg_1.json.gz", "rank3_et.json" -> 1, 3: the number behind "rank" or "worker", else the one that ends the name.
/// What an execution trace holds does not tell its rank.
std::optional<uint32_t> rank_in_execution_trace_name(std::string_view path);

/// What the files of a run claim; nullopt: nothing. torch_npu: profiler_info's name, else its rank_id. msprof: rank_id
/// of info.json, else the device's number. MindSpore before 2.4: the device's number in the files' names. Kineto:
/// distributedInfo, else the file's name (worker3, rank-3).
std::optional<uint32_t> claimed_rank(ProfileKind kind, const std::filesystem::path& root, const RankLayout& run);

/// A number that a run claims goes to the first that claims it; runs that claim none are 0. Whoever comes too late gets
/// the next free number, and keeps its claim in `claimed`. Sorts by number.
void number_ranks(ProfileKind kind, const std::filesystem::path& root, std::vector<RankLayout>& runs);

}  // namespace stepwise::ingest
