// Rows of the tables that a cluster analysis fills, from its JSON files and its database alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/base/json_summary.h"
#include "core/ingest/exports/communication.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// One operation as one rank saw it, with its links; its start may be unknown. key.place is the row's src_pos.
void append_cluster_operation(const CommOperation& operation, int64_t rank, const std::string& file,
                              store::SegmentBuilder& out);
/// A link between two ranks, which is whole.
void append_cluster_link(const OperationKey& key, const MatrixLink& link, const std::string& file,
                         store::SegmentBuilder& out);

struct CommGroup {
  std::string kind, ranks;
  std::optional<std::string> hash, name, parallel;
  int64_t place = 0;
};
void append_group(const CommGroup& group, const std::string& file, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
