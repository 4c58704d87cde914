// Whether a directory holds one run, or several that have nothing to do with each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// The directories next below that are profiles of their own: those that hold runs of other kinds, or runs that claim
/// the same ranks. Empty: all are ranks of one run. What a profiler leaves side by side (*_ascend_pt, PROF_*) and
/// directories that are called after their one rank are the ranks of one. What lies in the directory itself comes
/// first, if it or others claim the same ranks; then those that were written last; of those written in one second,
/// whose path is the last: names often count up.
std::vector<SeparateRun> separate_runs(const ProfileLayout& layout);

/// Of the runs of the layout's kind the one to open alone, since some of them claim the same ranks; nullptr: none do.
const SeparateRun* run_to_open(const std::vector<SeparateRun>& runs, ProfileKind kind);

/// Why a run of that kind is not read: "msprof output beside another profile: open it by its path".
std::string beside_another(ProfileKind kind);

}  // namespace stepwise::ingest
