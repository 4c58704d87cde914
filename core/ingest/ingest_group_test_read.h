// For tests: a group of a rank out of its files, as the program reads it.
#pragma once

#include "core/ingest/discovery/layout.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"

namespace stepwise::ingest {

inline Tables read_group(const ProfileLayout& layout, const RankLayout& rank, table::Group group) {
  Tables tables;
  const CancelFlag cancel;
  ProgressGauge progress;
  REQUIRE(ingest_group(layout, rank, group, cancel, progress, {}, tables.builder()).ok());
  return tables;
}

/// Of the lowest rank.
inline Tables read_files_group(const ProfileLayout& layout) {
  return read_group(layout, layout.ranks.at(0), table::Group::files);
}

}  // namespace stepwise::ingest
