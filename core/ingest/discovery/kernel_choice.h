// Which of a run's files tells of its kernels, where several are of the same ones.
#pragma once

#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// Files that say less of the same kernels than another usable one become not_used, and why_not names that one.
void choose_kernels(std::vector<SourceFile>& files);

}  // namespace stepwise::ingest
