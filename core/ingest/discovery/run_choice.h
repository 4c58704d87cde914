// Which of the runs in a directory is opened, where they are no ranks of one: figures across their ranks would mix
// them.
#pragma once

#include <filesystem>
#include <functional>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// Looks at one of the directories next below, as at any that is given.
using LookBelow = std::function<Result<ProfileLayout>(const std::filesystem::path&)>;

/// What a directory's layout stands for: itself, or that of the run in it that was written last, if some of them claim
/// the same ranks. `runs` names each, and a remark says which was taken. Errors: those of `look`.
Result<ProfileLayout> choose_run(ProfileLayout all, const LookBelow& look);

/// The same where a file was given that lies above the runs and belongs to none of them: nothing is chosen, and a
/// remark says that they mix.
void tell_mixed_runs(ProfileLayout& layout);

}  // namespace stepwise::ingest
