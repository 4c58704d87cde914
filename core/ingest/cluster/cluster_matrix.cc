// cluster_communication_matrix.json: {p2p | "(0, 1)": {step: {operation@group: {"src-dst": {size, time, bandwidth}}}}}.
// Ranks are those of the whole cluster.
#include "core/ingest/base/readers.h"
#include "core/ingest/cluster/cluster_rows.h"

namespace stepwise::ingest {

Result<void> read_cluster_matrix(const std::filesystem::path& file, const std::string& relative_path,
                                 IngestContext& context, store::SegmentBuilder& out) {
  constexpr int kLinkDepth = 5;  // a link's object lies in operation, step, group and the root
  JsonSummary summary(relative_path, context);
  const auto append = [&](const OperationKey& key, const MatrixLink& link) {
    append_cluster_link(key, link, relative_path, out);
  };
  const auto read = [&](const OperationKey& key, JsonNode value) { return read_links(summary, key, value, append); };
  SW_RETURN_IF_ERROR(summary.read(file, kLinkDepth, read, JsonSummary::Nesting::group_first));
  return {};
}

}  // namespace stepwise::ingest
