// Communication operations as their files have them, on their way into comm_op, comm_link and comm_packet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/json_summary.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

struct CommPackets {
  int64_t packet_bytes = 0, count = 0, total_ns = 0;
};
struct CommLink {
  std::string transport;
  std::optional<int64_t> bytes, transit_ns;
  std::optional<double> bandwidth_gb_s, large_packet_ratio;
  std::vector<CommPackets> packets;
};
struct CommOperation {
  OperationKey key;
  std::optional<int64_t> start_ns, elapse_ns, transit_ns, wait_ns, sync_ns, idle_ns;
  std::vector<CommLink> links;

  bool is_whole() const { return start_ns && elapse_ns && transit_ns && wait_ns && sync_ns && idle_ns; }
};

/// Whether the name is that of a sum of several operations in a matrix.
bool is_total_of_matrix(std::string_view name);

/// Fills the three tables, by start. Each operation is whole.
void append_operations(std::vector<CommOperation> operations, const std::string& file, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
