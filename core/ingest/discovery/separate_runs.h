// Whether a directory holds one run, or several that have nothing to do with each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

struct SeparateRun {
  std::string dir;  // relative to the profile's root
  ProfileKind kind = ProfileKind::torch_npu;
  std::vector<uint32_t> ranks;  // that its runs claim, ascending; empty: its runs are not read here
};

/// The directories next below that are profiles of their own: those that hold runs of other kinds, or runs that claim
/// the same ranks. Empty: all are ranks of one run. What a profiler leaves side by side (*_ascend_pt, PROF_*) and
/// directories that are called after their one rank are the ranks of one.
std::vector<SeparateRun> separate_runs(const ProfileLayout& layout);

/// Why a run of that kind is not read: "msprof output beside another profile: open it by its path".
std::string beside_another(ProfileKind kind);

}  // namespace stepwise::ingest
