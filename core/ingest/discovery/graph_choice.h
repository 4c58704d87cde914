// Which of several files of one graph is read.
#pragma once

#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// Where inductor's output_code.py lies beside fx files of the same compilation (`1_output_code.py` and
/// `1_fx_graph_readable.py`, or none of them numbered), it alone is read: it says what runs. The others become
/// not_used, and why_not says why.
void prefer_generated_code(std::vector<SourceFile>& graphs);

}  // namespace stepwise::ingest
