// Which of a run's databases are read.
#pragma once

#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// Of several databases of one kind the last by name stands (msprof's names have the time of the export). One whose
/// tables all stand in usable text files, too, is not used: text and database of a run hold the same.
void choose_databases(ProfileKind profile, std::vector<SourceFile>& files);

}  // namespace stepwise::ingest
