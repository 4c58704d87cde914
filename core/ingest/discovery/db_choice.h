// Which of a run's databases are read.
#pragma once

#include <vector>

#include "core/ingest/discovery/layout.h"
#include "core/ingest/discovery/remarks.h"

namespace stepwise::ingest {

/// Of several databases of one kind the last by name stands (msprof's names have the time of the export). One whose
/// tables all stand in usable text files, too, is not used: text and database of a run hold the same.
/// One that is left out though it is larger than the one that stands is remarked.
void choose_databases(ProfileKind profile, std::vector<SourceFile>& files, Remarks& remarks);

}  // namespace stepwise::ingest
