#include "core/ingest/discovery/separate_runs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr std::array kKinds{ProfileKind::torch_npu, ProfileKind::mindspore, ProfileKind::msprof, ProfileKind::kineto};

const char* what(ProfileKind kind) {
  switch (kind) {
    case ProfileKind::torch_npu:
      return "a torch_npu profile";
    case ProfileKind::mindspore:
      return "a MindSpore profile";
    case ProfileKind::msprof:
      return "msprof output";
    case ProfileKind::kineto:
      return "a Kineto trace";
    case ProfileKind::graph_only:
      break;
  }
  return "a graph dump";
}

/// A run as it was found, before it was made a rank of one profile.
struct FoundPlace {
  std::string dir;
  ProfileKind kind = ProfileKind::torch_npu;
  std::optional<uint32_t> rank;  // that it claims
};

/// Of a single trace its directory.
std::string directory_of(const std::string& dir, ProfileKind kind) {
  return kind == ProfileKind::kineto ? fs::path(dir).parent_path().string() : dir;
}

std::vector<FoundPlace> places_of(const ProfileLayout& layout) {
  std::vector<FoundPlace> found;
  for (const RankLayout& run : layout.ranks) {
    found.push_back({directory_of(run.dir, layout.kind), layout.kind, run.claimed.value_or(run.rank)});
  }
  for (const SourceFile& other : layout.unclaimed) {
    for (const ProfileKind kind : kKinds) {
      if (other.why_not == beside_another(kind)) found.push_back({directory_of(other.path, kind), kind, std::nullopt});
    }
  }
  return found;
}

std::vector<std::string> names_of(const std::string& dir) {
  std::vector<std::string> names;
  for (const fs::path& name : fs::path(dir)) names.push_back(name.string());
  return names;
}

/// How many names all of them begin with.
size_t common_names(const std::vector<std::vector<std::string>>& paths) {
  size_t count = paths.front().size();
  for (const auto& path : paths) {
    const auto [end, unused] = std::mismatch(path.begin(), path.end(), paths.front().begin(), paths.front().end());
    count = std::min(count, static_cast<size_t>(end - path.begin()));
  }
  return count;
}

/// What profilers call the directory of one rank, or of one recording of it.
bool is_of_profiler(const std::string& name) {
  return name.ends_with("_ascend_pt") || name.ends_with("_ascend_ms") || name.starts_with("PROF_");
}

/// "3", "rank_3", "worker3"
bool is_called_after_rank(const std::string& name) {
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string stem = name.substr(0, digits);
  const auto is_stem = [&](const std::string& word) {
    return stem == word || stem == word + "_" || stem == word + "-";
  };
  return digits < name.size() && (stem.empty() || is_stem("rank") || is_stem("worker") || is_stem("device"));
}

bool are_apart(const SeparateRun& a, const SeparateRun& b) {
  return a.kind != b.kind || std::any_of(a.ranks.begin(), a.ranks.end(), [&](uint32_t rank) {
           return std::find(b.ranks.begin(), b.ranks.end(), rank) != b.ranks.end();
         });
}

}  // namespace

std::string beside_another(ProfileKind kind) {
  return std::string(what(kind)) + " beside another profile: open it by its path";
}

std::vector<SeparateRun> separate_runs(const ProfileLayout& layout) {
  const std::vector<FoundPlace> found = places_of(layout);
  if (found.size() < 2) return {};
  std::vector<std::vector<std::string>> paths;
  for (const FoundPlace& one : found) paths.push_back(names_of(one.dir));
  const size_t common = common_names(paths);
  std::map<std::string, SeparateRun> runs;
  bool is_rank_each = true;
  for (size_t i = 0; i < found.size(); ++i) {
    if (paths[i].size() == common || is_of_profiler(paths[i][common])) continue;  // the directory's own
    fs::path dir;
    for (size_t name = 0; name <= common; ++name) dir /= paths[i][name];
    const auto [it, is_first] = runs.try_emplace(dir.string(), SeparateRun{dir.string(), found[i].kind, {}});
    if (found[i].rank) it->second.ranks.push_back(*found[i].rank);
    is_rank_each = is_rank_each && is_first && is_called_after_rank(paths[i][common]);
  }
  std::vector<SeparateRun> list;
  for (auto& [dir, run] : runs) {
    std::sort(run.ranks.begin(), run.ranks.end());
    list.push_back(std::move(run));
  }
  for (size_t a = 0; !is_rank_each && a < list.size(); ++a) {
    for (size_t b = a + 1; b < list.size(); ++b) {
      if (are_apart(list[a], list[b])) return list;
    }
  }
  return {};
}

}  // namespace stepwise::ingest
