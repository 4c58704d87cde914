// communication.json: {step: {p2p | collective: {operation@group: {time info, bandwidth info}}}}.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/exports/communication.h"

namespace stepwise::ingest {
namespace {

constexpr int kOperationDepth = 4;  // an operation's object lies in kind, step and the root

class OperationReader {
 public:
  explicit OperationReader(JsonSummary& summary) : summary_(summary) {}

  Walk read(JsonNode value, int64_t place, const char* what, CommOperation& out) {
    const auto take = [&](std::string_view part, JsonNode info, int64_t at) {
      if (part == "Communication Time Info") return read_times(info, at, out);
      if (part == "Communication Bandwidth Info") return read_links(info, at, out);
      return Walk::done;
    };
    return summary_.each_field(value, place, what, take);
  }

 private:
  Walk read_times(JsonNode value, int64_t place, CommOperation& out) {
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

  Walk read_links(JsonNode value, int64_t place, CommOperation& out) {
    const auto take = [&](std::string_view transport, JsonNode link, int64_t at) {
      return read_link(transport, link, at, out);
    };
    return summary_.each_field(value, place, "Communication Bandwidth Info", take);
  }

  Walk read_link(std::string_view transport, JsonNode value, int64_t place, CommOperation& out) {
    CommLink link;
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
  Walk read_packets(JsonNode value, int64_t place, CommLink& out) {
    const auto take = [&](std::string_view size, JsonNode pair, int64_t at) {
      std::optional<int64_t> numbers[2];
      size_t count = 0;
      const auto take_number = [&](JsonNode number) {
        if (count < 2) numbers[count] = number.scaled(count == 0 ? 0 : kMsToNs);
        ++count;
        return Walk::done;
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

  JsonSummary& summary_;
};

class Parser {
 public:
  Parser(const std::string& file, IngestContext& context) : summary_(file, context) {}

  /// The operations in file order; nullopt: the file holds nothing to read.
  Result<std::optional<std::vector<CommOperation>>> run(const std::filesystem::path& file) {
    const auto read = [this](const OperationKey& key, JsonNode value) { return read_operation(key, value); };
    SW_ASSIGN_OR_RETURN(const bool is_read, summary_.read(file, kOperationDepth, read));
    if (!is_read) return std::optional<std::vector<CommOperation>>();
    return std::optional(std::move(operations_));
  }

 private:
  Walk read_operation(const OperationKey& key, JsonNode value) {
    if (key.name == kTotalOperation) return Walk::done;
    CommOperation operation;
    operation.key = key;
    const Walk walk = read_comm_operation(summary_, value, key.place, "an operation", operation);
    if (walk != Walk::done) return walk;
    if (operation.is_whole()) {
      operations_.push_back(std::move(operation));
    } else {
      summary_.count_shape(
          key.place, "First: " + shorten(key.name, 60) + " lacks one of its six times, or holds no number there.");
    }
    return Walk::done;
  }

  JsonSummary summary_;
  std::vector<CommOperation> operations_;
};

}  // namespace

Walk read_comm_operation(JsonSummary& summary, JsonNode value, int64_t place, const char* what, CommOperation& out) {
  return OperationReader(summary).read(value, place, what, out);
}

Result<void> read_communication(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, store::SegmentBuilder& out) {
  Parser parser(relative_path, context);
  SW_ASSIGN_OR_RETURN(std::optional<std::vector<CommOperation>> operations, parser.run(file));
  if (!operations) return {};
  append_operations(std::move(*operations), relative_path, out);
  return {};
}

}  // namespace stepwise::ingest
