#include <algorithm>
#include <string_view>

#include "core/ingest/communication.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

/// "hcom_allReduce__586_0_1" is an allReduce.
std::string_view type_of(std::string_view name) {
  constexpr std::string_view kPrefix = "hcom_";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return name.substr(0, name.find('_'));
}

}  // namespace

bool is_total_of_matrix(std::string_view name) { return name == "Total Op Info" || name.ends_with("-total"); }

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
