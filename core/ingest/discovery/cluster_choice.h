// What a cluster analysis left beside the ranks that it is about: which of several belongs to the profile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// The directory that cluster analyses write into.
inline constexpr const char* kClusterOutput = "cluster_analysis_output";

/// The files of each directory that has any, by its path.
using ClusterFiles = std::map<std::string, std::vector<SourceFile>>;

/// The analysis nearest to the profile's root, one in a directory of the usual name first; the end: none is usable.
ClusterFiles::const_iterator choose_cluster(const ClusterFiles& found);
/// The lowest rank that the files name.
std::optional<uint32_t> lowest_rank_named(const std::filesystem::path& root, const std::vector<SourceFile>& files);

}  // namespace stepwise::ingest
