// Communication operations as their files have them, on their way into comm_op, comm_link and comm_packet.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/json_summary.h"
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

  bool has_times() const { return elapse_ns && transit_ns && wait_ns && sync_ns && idle_ns; }
  bool is_whole() const { return start_ns && has_times(); }
};

/// {time info, bandwidth info}: fills all but the key. what: how the value is called where it is no object.
Walk read_comm_operation(JsonSummary& summary, JsonNode value, int64_t place, const char* what, CommOperation& out);
/// The operation's link by that transport; the first of several stands. nullptr: it has more than there can be.
CommLink* link_of(CommOperation& operation, CommLink link);
/// Whether the name is that of an operation between two ranks.
bool is_pairwise(std::string_view name);

/// What a matrix says about two ranks.
struct MatrixLink {
  std::optional<int64_t> src_rank, dst_rank, bytes, transit_ns;
  std::optional<double> bandwidth_gb_s;
  std::optional<std::string> transport, operation;

  bool is_whole() const;
};
using OnLink = std::function<void(const OperationKey&, const MatrixLink&)>;
/// {"src-dst": {size, time, bandwidth}} of one operation: hands out each link that is whole.
Walk read_links(JsonSummary& summary, const OperationKey& key, JsonNode value, const OnLink& visit);
/// The operation that a row of a matrix is about: the one that it names, else itself; nullopt: a sum of several.
std::optional<std::string> operation_behind(const std::string& name, const std::optional<std::string>& named);

/// Whether the name is that of a sum of several operations in a matrix.
bool is_total_of_matrix(std::string_view name);

/// Fills the three tables, by start. Each operation is whole.
void append_operations(std::vector<CommOperation> operations, const std::string& file, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
