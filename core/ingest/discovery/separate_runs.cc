#include "core/ingest/discovery/separate_runs.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>

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
  int64_t written_s = 0;
};

/// Of a single trace its directory.
std::string directory_of(const std::string& dir, ProfileKind kind) {
  return kind == ProfileKind::kineto ? fs::path(dir).parent_path().string() : dir;
}

/// Unix time of the last writing to a file of the run that is read. The lowest rank was given dumps of others, too.
int64_t written_s(const fs::path& root, const RankLayout& run) {
  int64_t last = 0;
  for (const SourceFile& file : run.files) {
    if (file.state != FileState::usable || (file.path != run.dir && !file.path.starts_with(run.dir + "/"))) continue;
    std::error_code failed;
    const auto time = fs::last_write_time(root / file.path, failed);
    if (failed) continue;
    const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
    last = std::max<int64_t>(last, std::chrono::floor<std::chrono::seconds>(since).count());
  }
  return last;
}

std::vector<FoundPlace> places_of(const ProfileLayout& layout) {
  std::vector<FoundPlace> found;
  for (const RankLayout& run : layout.ranks) {
    found.push_back(
        {directory_of(run.dir, layout.kind), layout.kind, run.claimed.value_or(run.rank), written_s(layout.root, run)});
  }
  for (const SourceFile& other : layout.unclaimed) {
    for (const ProfileKind kind : kKinds) {
      if (other.why_not == beside_another(kind))
        found.push_back({directory_of(other.path, kind), kind, std::nullopt, 0});
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

fs::path directory_at(fs::path path, const std::vector<std::string>& names, size_t depth) {
  for (size_t name = 0; name < depth; ++name) path /= names[name];
  return path;
}

void add(const FoundPlace& place, SeparateRun& run) {
  run.written_s = std::max(run.written_s, place.written_s);
  if (place.rank) run.ranks.push_back(*place.rank);
}

bool claim_one_rank(const SeparateRun& a, const SeparateRun& b) {
  return std::any_of(a.ranks.begin(), a.ranks.end(),
                     [&](uint32_t rank) { return std::find(b.ranks.begin(), b.ranks.end(), rank) != b.ranks.end(); });
}

/// "of any two of them..."
template <class Test>
bool any_two(const std::vector<SeparateRun>& runs, Test test) {
  for (size_t a = 0; a < runs.size(); ++a) {
    for (size_t b = a + 1; b < runs.size(); ++b) {
      if (test(runs[a], runs[b])) return true;
    }
  }
  return false;
}

bool was_written_later(const SeparateRun& a, const SeparateRun& b) {
  return std::tie(a.written_s, a.path) > std::tie(b.written_s, b.path);
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
  std::map<fs::path, SeparateRun> runs;
  SeparateRun own{directory_at(layout.root, paths.front(), common), layout.kind, {}, 0};
  bool is_rank_each = true;
  for (size_t i = 0; i < found.size(); ++i) {
    if (paths[i].size() == common || is_of_profiler(paths[i][common])) {
      if (found[i].kind == own.kind) add(found[i], own);
      continue;
    }
    const fs::path dir = directory_at(layout.root, paths[i], common + 1);
    const auto [it, is_first] = runs.try_emplace(dir, SeparateRun{dir, found[i].kind, {}, 0});
    add(found[i], it->second);
    is_rank_each = is_rank_each && is_first && is_called_after_rank(paths[i][common]);
  }
  std::vector<SeparateRun> list;
  for (auto& [dir, run] : runs) {
    std::sort(run.ranks.begin(), run.ranks.end());
    list.push_back(std::move(run));
  }
  const auto are_apart = [](const auto& a, const auto& b) { return a.kind != b.kind || claim_one_rank(a, b); };
  std::sort(list.begin(), list.end(), was_written_later);
  std::sort(own.ranks.begin(), own.ranks.end());
  const bool claims_of_own = std::any_of(list.begin(), list.end(), [&](const SeparateRun& one) {
    return one.kind == own.kind && claim_one_rank(one, own);
  });
  if (!own.ranks.empty() && (claims_of_own || run_to_open(list, own.kind) != nullptr)) list.insert(list.begin(), own);
  if (is_rank_each || !any_two(list, are_apart)) return {};
  return list;
}

const SeparateRun* run_to_open(const std::vector<SeparateRun>& runs, ProfileKind kind) {
  std::vector<SeparateRun> of_kind;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(of_kind),
               [&](const auto& one) { return one.kind == kind; });
  if (!any_two(of_kind, claim_one_rank)) return nullptr;
  return &*std::find_if(runs.begin(), runs.end(), [&](const auto& one) { return one.kind == kind; });
}

}  // namespace stepwise::ingest
