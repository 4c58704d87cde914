#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/limits.h"
#include "core/ingest/exports/communication.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

constexpr std::string_view kPairwise[] = {"send", "Send", "receive", "Recv"};

/// "hcom_allReduce__586_0_1" is an allReduce.
std::string_view type_of(std::string_view name) {
  constexpr std::string_view kPrefix = "hcom_";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return name.substr(0, name.find('_'));
}

}  // namespace

bool is_total_of_matrix(std::string_view name) { return name == kTotalOperation || name.ends_with("-total"); }

std::optional<std::string> operation_behind(const std::string& name, const std::optional<std::string>& named) {
  return named || is_total_of_matrix(name) ? named : std::optional(name);
}

bool MatrixLink::is_whole() const {
  return src_rank && dst_rank && bytes && transit_ns && *src_rank >= 0 && *dst_rank >= 0 && *bytes >= 0 &&
         *bytes <= limits::kMaxCount && *transit_ns >= 0 && *transit_ns <= limits::kMaxDurationNs;
}

bool is_pairwise(std::string_view name) {
  return std::any_of(std::begin(kPairwise), std::end(kPairwise),
                     [name](std::string_view part) { return name.find(part) != name.npos; });
}

CommLink* link_of(CommOperation& operation, CommLink link) {
  constexpr size_t kMostTransports = 64;  // there are six
  std::vector<CommLink>& links = operation.links;
  const auto same = std::find_if(links.begin(), links.end(),
                                 [&link](const CommLink& one) { return one.transport == link.transport; });
  if (same != links.end()) return &*same;
  return links.size() < kMostTransports ? &links.emplace_back(std::move(link)) : nullptr;
}

void append_operations(std::vector<CommOperation> operations, const std::string& file, store::SegmentBuilder& out) {
  std::stable_sort(operations.begin(), operations.end(),
                   [](const CommOperation& a, const CommOperation& b) { return *a.start_ns < *b.start_ns; });
  namespace op = table::comm_op;
  namespace link = table::comm_link;
  namespace packet = table::comm_packet;
  store::TableBuilder &ops = out.table(op::kTable), &links = out.table(link::kTable),
                      &packets = out.table(packet::kTable);
  for (const auto* decl : {&op::kTable, &link::kTable, &packet::kTable}) out.set_source_file(*decl, file);
  for (const CommOperation& one : operations) {
    const auto id = static_cast<int64_t>(ops.rows());
    ops.append_or_null(op::step, one.key.step);
    ops.append(op::name, one.key.name);
    ops.append(op::type, type_of(one.key.name));
    ops.append(op::kind, one.key.kind);
    ops.append_or_null(op::group_id, one.key.group);
    ops.append(op::start_ns, *one.start_ns);
    ops.append(op::elapse_ns, *one.elapse_ns);
    ops.append(op::transit_ns, *one.transit_ns);
    ops.append(op::wait_ns, *one.wait_ns);
    ops.append(op::sync_ns, *one.sync_ns);
    ops.append(op::idle_ns, *one.idle_ns);
    ops.append(op::src_pos, one.key.place);
    ops.end_row();
    for (const CommLink& by : one.links) {
      links.append(link::comm_op_id, id);
      links.append(link::transport, by.transport);
      links.append(link::bytes, *by.bytes);
      links.append(link::transit_ns, *by.transit_ns);
      links.append_or_null(link::bandwidth_gb_s, by.bandwidth_gb_s);
      links.append_or_null(link::large_packet_ratio, by.large_packet_ratio);
      links.end_row();
      for (const CommPackets& size : by.packets) {
        packets.append(packet::comm_op_id, id);
        packets.append(packet::transport, by.transport);
        packets.append(packet::packet_bytes, size.packet_bytes);
        packets.append(packet::count, size.count);
        packets.append(packet::total_ns, size.total_ns);
        packets.end_row();
      }
    }
  }
}

}  // namespace stepwise::ingest
