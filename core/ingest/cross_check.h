// Files of one run say some things twice: operators each and summed, a text export and a database. Where they do not
// agree, which of them answers came from is luck: told as `files.disagree`.
#pragma once

#include "core/ingest/ingest.h"

namespace stepwise::ingest {

/// Compares, once the rank's summary files have been read: operators of each type with the file of their sums; kernels
/// and steps with the databases that were not read because the text files say the same. Errors: cancelled.
Result<void> check_files_agree(const ProfileLayout& layout, const RankLayout& rank, IngestContext& context,
                               store::SegmentBuilder& out);

}  // namespace stepwise::ingest
