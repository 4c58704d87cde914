// Which of the runs in a directory is opened, where they are no ranks of one: figures across their ranks would mix
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// Looks at a directory next below as at any that is given, or at the directory itself without some of those below.
using LookAgain = std::function<Result<ProfileLayout>(const std::filesystem::path& directory,
                                                      const std::vector<std::filesystem::path>& left_out)>;

/// What a directory's layout stands for: itself; or, if runs in it claim the same ranks, that of the run which lies in
/// the directory itself, else of the one that was written last. `runs` names each, and a remark says which was taken.
/// Errors: those of `look`.
Result<ProfileLayout> choose_run(ProfileLayout all, const LookAgain& look);

/// The same where a file was given that lies above the runs and belongs to none of them: nothing is chosen, and a
/// remark says that they mix.
void tell_mixed_runs(ProfileLayout& layout);

}  // namespace stepwise::ingest
