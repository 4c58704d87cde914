// communication.json: {step: {p2p | collective: {operation@group: {time info, bandwidth info}}}}.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/ingest/json_summary.h"
#include "core/ingest/readers.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

constexpr int kOperationDepth = 4;  // an operation's object lies in kind, step and the root

struct Packets {
  int64_t packet_bytes = 0, count = 0, total_ns = 0;
};
struct Link {
  std::string transport;
  std::optional<int64_t> bytes, transit_ns;
  std::optional<double> bandwidth_gb_s, large_packet_ratio;
  std::vector<Packets> packets;
};
struct Operation {
  OperationKey key;
  std::optional<int64_t> start_ns, elapse_ns, transit_ns, wait_ns, sync_ns, idle_ns;
  std::vector<Link> links;

  bool is_whole() const { return start_ns && elapse_ns && transit_ns && wait_ns && sync_ns && idle_ns; }
};

/// "hcom_allReduce__586_0_1" is an allReduce.
std::string_view type_of(std::string_view name) {
  constexpr std::string_view kPrefix = "hcom_";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return name.substr(0, name.find('_'));
}

class Parser {
 public:
  Parser(const std::string& file, IngestContext& context) : summary_(file, context) {}

  /// The operations in file order; nullopt: the file holds nothing to read.
  Result<std::optional<std::vector<Operation>>> run(const std::filesystem::path& file) {
    const auto read = [this](const OperationKey& key, JsonNode value) { return read_operation(key, value); };
    SW_ASSIGN_OR_RETURN(const bool is_read, summary_.read(file, kOperationDepth, read));
    if (!is_read) return std::optional<std::vector<Operation>>();
    return std::optional(std::move(operations_));
  }

 private:
  Walk read_operation(const OperationKey& key, JsonNode value) {
    if (key.name == "Total Op Info") return Walk::done;  // sums of the others
    Operation operation;
    operation.key = key;
    const auto take = [&](std::string_view part, JsonNode info, int64_t place) {
      if (part == "Communication Time Info") return read_times(info, place, operation);
      if (part == "Communication Bandwidth Info") return read_links(info, place, operation);
      return Walk::done;
    };
    if (const Walk walk = summary_.each_field(value, key.place, "an operation", take); walk != Walk::done) return walk;
    if (operation.is_whole()) {
      operations_.push_back(std::move(operation));
    } else {
      summary_.count_shape(
          key.place, "First: " + shorten(key.name, 60) + " lacks one of its six times, or holds no number there.");
    }
    return Walk::done;
  }

  Walk read_times(JsonNode value, int64_t place, Operation& out) {
    const auto take = [&](std::string_view key, JsonNode cell, int64_t) {
      if (key == "Start Timestamp(us)") out.start_ns = cell.scaled(kUsToNs);
      if (key == "Elapse Time(ms)") out.elapse_ns = cell.scaled(kMsToNs);
      if (key == "Transit Time(ms)") out.transit_ns = cell.scaled(kMsToNs);
      if (key == "Wait Time(ms)") out.wait_ns = cell.scaled(kMsToNs);
      if (key == "Synchronization Time(ms)") out.sync_ns = cell.scaled(kMsToNs);
      if (key == "Idle Time(ms)") out.idle_ns = cell.scaled(kMsToNs);
      return Walk::done;
    };
    return summary_.each_field(value, place, "Communication Time Info", take);
  }

  Walk read_links(JsonNode value, int64_t place, Operation& out) {
    const auto take = [&](std::string_view transport, JsonNode link, int64_t at) {
      return read_link(transport, link, at, out);
    };
    return summary_.each_field(value, place, "Communication Bandwidth Info", take);
  }

  Walk read_link(std::string_view transport, JsonNode value, int64_t place, Operation& out) {
    Link link;
    link.transport = transport;
    const auto take = [&](std::string_view key, JsonNode cell, int64_t at) {
      if (key == "Transit Size(MB)") link.bytes = cell.scaled(kMbToBytes);
      if (key == "Transit Time(ms)") link.transit_ns = cell.scaled(kMsToNs);
      if (key == "Bandwidth(GB/s)") link.bandwidth_gb_s = summary_.real(cell);
      if (key == "Large Packet Ratio") link.large_packet_ratio = summary_.real(cell);
      return key == "Size Distribution" ? read_packets(cell, at, link) : Walk::done;
    };
    if (const Walk walk = summary_.each_field(value, place, "a transport", take); walk != Walk::done) return walk;
    if (link.bytes && link.transit_ns) {
      out.links.push_back(std::move(link));
    } else {
      summary_.count_shape(place, "First: traffic by " + shorten(transport, 20) + " without size or time.");
    }
    return Walk::done;
  }

  /// {"size in MB": [count, total ms]}
  Walk read_packets(JsonNode value, int64_t place, Link& out) {
    const auto take = [&](std::string_view size, JsonNode pair, int64_t at) {
      std::optional<int64_t> numbers[2];
      size_t count = 0;
      const auto take_number = [&](JsonNode number) {
        if (count < 2) numbers[count] = number.scaled(count == 0 ? 0 : kMsToNs);
        ++count;
      };
      constexpr const char* kWhat = "a packet size without [count, time]";
      if (const Walk walk = summary_.each_element(pair, at, kWhat, take_number); walk != Walk::done) return walk;
      const auto bytes = scaled_integer(size, kMbToBytes);
      if (bytes && numbers[0] && numbers[1] && count == 2) {
        out.packets.push_back({*bytes, *numbers[0], *numbers[1]});
      } else {
        summary_.count_shape(at, std::string("First: ") + kWhat + ".");
      }
      return Walk::done;
    };
    return summary_.each_field(value, place, "Size Distribution", take);
  }

  JsonSummary summary_;
  std::vector<Operation> operations_;
};

void append(const std::vector<Operation>& operations, const std::string& file, store::SegmentBuilder& out) {
  namespace op = table::comm_op;
  namespace link = table::comm_link;
  namespace packet = table::comm_packet;
  store::TableBuilder &ops = out.table(op::kTable), &links = out.table(link::kTable),
                      &packets = out.table(packet::kTable);
  for (const auto* decl : {&op::kTable, &link::kTable, &packet::kTable}) out.set_source_file(*decl, file);
  for (const Operation& one : operations) {
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
    for (const Link& by : one.links) {
      links.append(link::comm_op_id, id);
      links.append(link::transport, by.transport);
      links.append(link::bytes, *by.bytes);
      links.append(link::transit_ns, *by.transit_ns);
      links.append_or_null(link::bandwidth_gb_s, by.bandwidth_gb_s);
      links.append_or_null(link::large_packet_ratio, by.large_packet_ratio);
      links.end_row();
      for (const Packets& size : by.packets) {
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

}  // namespace

Result<void> read_communication(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, store::SegmentBuilder& out) {
  Parser parser(relative_path, context);
  SW_ASSIGN_OR_RETURN(std::optional<std::vector<Operation>> operations, parser.run(file));
  if (!operations) return {};
  std::stable_sort(operations->begin(), operations->end(),
                   [](const Operation& a, const Operation& b) { return *a.start_ns < *b.start_ns; });
  append(*operations, relative_path, out);
  return {};
}

}  // namespace stepwise::ingest
