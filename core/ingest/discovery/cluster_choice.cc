#include "core/ingest/discovery/cluster_choice.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <tuple>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/base/diagnostics.h"
#include "core/ingest/database/db_file.h"
#include "core/ingest/discovery/format_detect.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kBytesSearched = 1u << 20;

bool is_usable(const SourceFile& file) { return file.state == FileState::usable; }

void take(std::optional<int64_t> rank, std::optional<uint32_t>& lowest) {
  if (!rank || *rank < 0 || *rank > std::numeric_limits<uint32_t>::max()) return;
  lowest = std::min(lowest.value_or(std::numeric_limits<uint32_t>::max()), static_cast<uint32_t>(*rank));
}

/// "2,rank,0,..." in cluster_step_trace_time.csv.
void take_rows(std::string_view text, std::optional<uint32_t>& lowest) {
  constexpr std::string_view kRank = ",rank,";
  for (size_t at = text.find(kRank); at != text.npos; at = text.find(kRank, at + 1)) {
    const size_t begin = at + kRank.size();
    take(to_integer(text.substr(begin, text.find(',', begin) - begin)), lowest);
  }
}

/// "[[0, 1], [2]]" of communication_group.json, up to the names of groups: those have numbers, too.
void take_groups(std::string_view text, std::optional<uint32_t>& lowest) {
  text = text.substr(0, text.find("comm_group_parallel_info"));
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at]) || at == 0 || (text[at - 1] != '[' && text[at - 1] != ' ' && text[at - 1] != ',')) continue;
    const size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    take(to_integer(text.substr(begin, at - begin)), lowest);
  }
}

void take_database(const std::filesystem::path& file, std::optional<uint32_t>& lowest) {
  const CancelFlag never;
  ProgressGauge progress;
  Diagnostics diagnostics;  // told when the file is read
  IngestContext context{never, progress, diagnostics};
  Result<Database> opened = Database::open(file, nullptr);
  if (!opened.ok()) return;
  const std::string name = file.filename().string();
  DbRows steps(opened.value(), "ClusterStepTraceTime", {required("index")}, name, context);
  while (steps.next()) take(steps.integer(0), lowest);
  for (const char* table : {"ClusterCommAnalyzerTime", "ClusterCommunicationTime"}) {
    DbRows times(opened.value(), table, {required("rank_id")}, name, context);
    while (times.next()) take(times.integer(0), lowest);
  }
}

}  // namespace

ClusterFiles::const_iterator choose_cluster(const ClusterFiles& found) {
  auto best = found.end();
  const auto order = [](const std::string& directory) {
    const bool is_usual = std::filesystem::path(directory).filename() == kClusterOutput;
    return std::tuple(!is_usual, std::count(directory.begin(), directory.end(), '/'), std::string_view(directory));
  };
  for (auto it = found.begin(); it != found.end(); ++it) {
    if (std::none_of(it->second.begin(), it->second.end(), is_usable)) continue;
    if (best == found.end() || order(it->first) < order(best->first)) best = it;
  }
  return best;
}

std::optional<uint32_t> lowest_rank_named(const std::filesystem::path& root, const std::vector<SourceFile>& files) {
  std::optional<uint32_t> lowest;
  for (const SourceFile& file : files) {
    if (!is_usable(file)) continue;
    if (file.kind == FileKind::cluster_db) take_database(root / file.path, lowest);
    if (file.kind != FileKind::cluster_step_trace && file.kind != FileKind::cluster_groups) continue;
    const auto text = first_bytes(root / file.path, kBytesSearched);
    if (!text.ok()) continue;
    if (file.kind == FileKind::cluster_step_trace) take_rows(text.value(), lowest);
    if (file.kind == FileKind::cluster_groups) take_groups(text.value(), lowest);
  }
  return lowest;
}

}  // namespace stepwise::ingest
