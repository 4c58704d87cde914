#include "core/ingest/discovery/run_choice.h"

#include <string>
#include <utility>

#include "core/ingest/discovery/directory_set.h"
#include "core/ingest/discovery/separate_runs.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

void tell(ProfileLayout& layout, const std::string& what) {
  const std::string count = std::to_string(layout.runs.size());
  layout.remarks.push_back({"profile.several_runs", "The directory holds " + count + what});
}

/// Files of a directory of runs, graph dumps mostly, that lie in none of them.
size_t files_beside(const ProfileLayout& all) {
  DirectorySet runs;
  for (const SeparateRun& run : all.runs) runs.add(run.path);
  size_t count = 0;
  for (const RankLayout& rank : all.ranks) {
    for (const SourceFile& file : rank.files) {
      count += file.state == FileState::usable && !runs.holds(all.root / file.path) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

Result<ProfileLayout> choose_run(ProfileLayout all, const LookAgain& look) {
  std::vector<SeparateRun> runs = separate_runs(all);
  if (runs.empty()) return all;  // of several recordings it names the others itself
  all.runs = std::move(runs);
  const SeparateRun* chosen = run_to_open(all.runs, all.kind);
  if (chosen == nullptr) {
    tell(all, std::string(" profiles of several kinds: what ") + to_string(all.kind) +
                  " left is opened, the others by their paths.");
    return all;
  }
  std::vector<fs::path> left_out;
  const bool is_own = chosen->path == all.root;
  for (const SeparateRun& run : all.runs) {
    if (is_own && run.path != chosen->path) left_out.push_back(run.path);
  }
  SW_ASSIGN_OR_RETURN(ProfileLayout layout, look(chosen->path, left_out));
  // It may turn out to hold several itself: then the one of them that is opened is told in its place.
  DirectorySet told;
  for (const SeparateRun& run : layout.runs) told.add(run.path);
  if (layout.root == chosen->path && !told.has(chosen->path)) layout.runs.insert(layout.runs.begin(), *chosen);
  std::erase_if(layout.remarks, [](const LayoutRemark& one) { return one.code == "profile.several_runs"; });
  for (const SeparateRun& run : all.runs) {
    if (run.path != chosen->path && !told.has(run.path)) layout.runs.push_back(run);
  }
  std::string what = " runs, which are no ranks of one. Opened is ";
  what += is_own ? "what lies in the directory itself" : "the one that was written last, " + layout.root.string();
  what += "; open the others by their paths.";
  if (const size_t beside = files_beside(all); beside > 0) {
    what += " Files beside the runs that belong to none of them are not read (" + std::to_string(beside) + ").";
  }
  tell(layout, what);
  return layout;
}

void tell_mixed_runs(ProfileLayout& layout) {
  std::vector<SeparateRun> runs = separate_runs(layout);
  if (run_to_open(runs, layout.kind) == nullptr) return;
  layout.runs = std::move(runs);
  tell(layout,
       " runs beside the file, whose ranks are no ranks of one: figures across ranks mix them. Open one of them "
       "by its path.");
}

}  // namespace stepwise::ingest
