// communication.json: {step: {p2p | collective: {operation@group: {time info, bandwidth info}}}}.
// Read with simdjson On-Demand, since its raw tokens let a timestamp go from text to integer ns without a double.
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/ingest/cut_json.h"
#include "core/ingest/read_file.h"
#include "core/ingest/readers.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace json = simdjson::ondemand;

constexpr int kOperationDepth = 4;  // an operation's object lies in kind, step and the root
constexpr int kUsToNs = 3, kMsToNs = 6, kMbToBytes = 6;

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
  std::optional<int64_t> step;
  std::string kind, name, group;
  std::optional<int64_t> start_ns, elapse_ns, transit_ns, wait_ns, sync_ns, idle_ns;
  std::vector<Link> links;
  int64_t src_pos = 0;

  bool is_whole() const { return start_ns && elapse_ns && transit_ns && wait_ns && sync_ns && idle_ns; }
};

/// "hcom_allReduce__586_0_1" is an allReduce.
std::string_view type_of(std::string_view name) {
  constexpr std::string_view kPrefix = "hcom_";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return name.substr(0, name.find('_'));
}

/// An error after which nothing more can be read of the document; a value of another type than expected is none.
bool is_fatal(simdjson::error_code error) {
  return error != simdjson::SUCCESS && error != simdjson::INCORRECT_TYPE && error != simdjson::NO_SUCH_FIELD;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, IngestContext& context)
      : text_(text), file_(file), context_(context) {}

  /// The operations in file order. Stops at the first place that does not parse, and counts it.
  std::vector<Operation> run(json::parser& parser, simdjson::padded_string_view view) {
    json::document document;
    json::object root;
    simdjson::error_code error = parser.iterate(view).get(document);
    const bool is_document = !error;  // without one there is no location to ask for either
    if (!error) error = document.get_object().get(root);
    if (error == simdjson::INCORRECT_TYPE) {
      count_shape(0, "The file holds no object.");
      return {};
    }
    if (!error) {
      is_object_ = true;
      error = each_field(
          root, [&](std::string_view key, json::value value, int64_t place) { return read_step(key, value, place); });
    }
    if (error && !context_.cancel.is_set()) {
      const char* location = nullptr;
      const bool known = is_document && document.current_location().get(location) == simdjson::SUCCESS;
      context_.diagnostics.count(Diag::json_syntax, file_, known ? std::optional(offset_of(location)) : std::nullopt, 1,
                                 std::string("The parser says: ") + simdjson::error_message(error));
    }
    return std::move(operations_);
  }
  bool is_object() const { return is_object_; }

 private:
  /// Calls visit(key, value, byte offset of the key) for each field; stops at a fatal error.
  template <class Visit>
  simdjson::error_code each_field(json::object& object, Visit visit) {
    for (auto maybe_field : object) {
      json::field field;
      if (const auto error = std::move(maybe_field).get(field)) return error;
      const int64_t place = offset_of(field.key().raw()) - 1;
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      const std::string owned(key);  // further unescaping may reuse the parser's buffer
      if (const auto error = visit(owned, field.value(), place); is_fatal(error)) return error;
    }
    return simdjson::SUCCESS;
  }

  /// The same for a value that should be an object; another type is counted.
  template <class Visit>
  simdjson::error_code each_field(json::value value, int64_t place, const char* what, Visit visit) {
    json::object object;
    if (const auto error = value.get_object().get(object)) {
      if (!is_fatal(error)) count_shape(place, std::string("First: ") + what + " is no object.");
      return error;
    }
    return each_field(object, visit);
  }

  simdjson::error_code read_step(std::string_view key, json::value value, int64_t place) {
    constexpr std::string_view kStep = "step";
    step_ = to_integer(key.substr(std::min(kStep.size(), key.size())));
    if (!key.starts_with(kStep) || (!step_ && key.size() > kStep.size())) {
      count_shape(place, "First: the key \"" + shorten(key, 40) + "\" is no step.");
      return simdjson::SUCCESS;
    }
    return each_field(value, place, "a step", [&](std::string_view kind, json::value operations, int64_t at) {
      return each_field(operations, at, "a kind of operation",
                        [&](std::string_view name, json::value one, int64_t name_at) {
                          return read_operation(kind, name, one, name_at);
                        });
    });
  }

  simdjson::error_code read_operation(std::string_view kind, std::string_view name, json::value value, int64_t place) {
    if (name == "Total Op Info") return simdjson::SUCCESS;  // sums of the others
    if (context_.cancel.is_set()) return simdjson::UNEXPECTED_ERROR;
    Operation operation;
    operation.step = step_;
    operation.kind = kind;
    const size_t at_sign = name.rfind('@');
    operation.name = name.substr(0, at_sign);
    if (at_sign != std::string_view::npos) operation.group = name.substr(at_sign + 1);
    operation.src_pos = place;
    const auto error =
        each_field(value, place, "an operation", [&](std::string_view key, json::value part, int64_t at) {
          if (key == "Communication Time Info") return read_times(part, at, operation);
          if (key == "Communication Bandwidth Info") return read_links(part, at, operation);
          return simdjson::SUCCESS;
        });
    if (error) return error;
    if (!operation.is_whole()) {
      count_shape(place, "First: " + shorten(name, 60) + " lacks one of its six times, or holds no number there.");
    } else {
      operations_.push_back(std::move(operation));
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_times(json::value value, int64_t place, Operation& out) {
    return each_field(value, place, "Communication Time Info", [&](std::string_view key, json::value cell, int64_t) {
      if (key == "Start Timestamp(us)") return read_scaled(cell, kUsToNs, out.start_ns);
      if (key == "Elapse Time(ms)") return read_scaled(cell, kMsToNs, out.elapse_ns);
      if (key == "Transit Time(ms)") return read_scaled(cell, kMsToNs, out.transit_ns);
      if (key == "Wait Time(ms)") return read_scaled(cell, kMsToNs, out.wait_ns);
      if (key == "Synchronization Time(ms)") return read_scaled(cell, kMsToNs, out.sync_ns);
      if (key == "Idle Time(ms)") return read_scaled(cell, kMsToNs, out.idle_ns);
      return simdjson::SUCCESS;
    });
  }

  simdjson::error_code read_links(json::value value, int64_t place, Operation& out) {
    return each_field(
        value, place, "Communication Bandwidth Info",
        [&](std::string_view transport, json::value link, int64_t at) { return read_link(transport, link, at, out); });
  }

  simdjson::error_code read_link(std::string_view transport, json::value value, int64_t place, Operation& out) {
    Link link;
    link.transport = transport;
    const auto error = each_field(value, place, "a transport", [&](std::string_view key, json::value cell, int64_t at) {
      if (key == "Transit Size(MB)") return read_scaled(cell, kMbToBytes, link.bytes);
      if (key == "Transit Time(ms)") return read_scaled(cell, kMsToNs, link.transit_ns);
      if (key == "Bandwidth(GB/s)") return read_double(cell, link.bandwidth_gb_s);
      if (key == "Large Packet Ratio") return read_double(cell, link.large_packet_ratio);
      if (key == "Size Distribution") return read_packets(cell, at, link);
      return simdjson::SUCCESS;
    });
    if (error) return error;
    if (!link.bytes || !link.transit_ns) {
      count_shape(place, "First: traffic by " + shorten(transport, 20) + " without size or time.");
    } else {
      out.links.push_back(std::move(link));
    }
    return simdjson::SUCCESS;
  }

  /// {"size in MB": [count, total ms]}
  simdjson::error_code read_packets(json::value value, int64_t place, Link& out) {
    return each_field(value, place, "Size Distribution", [&](std::string_view size, json::value cell, int64_t at) {
      json::array pair;
      if (const auto error = cell.get_array().get(pair)) {
        if (!is_fatal(error)) count_shape(at, "First: a packet size without [count, time].");
        return error;
      }
      std::optional<int64_t> numbers[2];
      size_t count = 0;
      for (auto element : pair) {
        json::value number;
        if (const auto error = std::move(element).get(number)) return error;
        if (count < 2) read_scaled(number, count == 0 ? 0 : kMsToNs, numbers[count]);
        ++count;
      }
      const auto bytes = scaled_integer(size, kMbToBytes);
      if (bytes && numbers[0] && numbers[1] && count == 2) {
        out.packets.push_back({*bytes, *numbers[0], *numbers[1]});
      } else {
        count_shape(at, "First: a packet size without [count, time].");
      }
      return simdjson::SUCCESS;
    });
  }

  simdjson::error_code read_scaled(json::value& cell, int scale, std::optional<int64_t>& out) {
    out = scaled_integer(cell.raw_json_token(), scale);
    return simdjson::SUCCESS;
  }
  simdjson::error_code read_double(json::value& cell, std::optional<double>& out) {
    const std::string_view token = cell.raw_json_token();
    out = to_double(token);
    if (!out && trim(token) != "null") count_shape(offset_of(token.data()), "First: a bandwidth is no number.");
    return simdjson::SUCCESS;
  }

  int64_t offset_of(const char* at) const { return at - text_.data(); }
  void count_shape(int64_t place, const std::string& detail) {
    context_.diagnostics.count(Diag::json_shape, file_, place, 1, detail);
  }

  const std::string_view text_;
  const std::string& file_;
  IngestContext& context_;
  std::optional<int64_t> step_;
  std::vector<Operation> operations_;
  bool is_object_ = false;
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
    ops.append_or_null(op::step, one.step);
    ops.append(op::name, one.name);
    ops.append(op::type, type_of(one.name));
    ops.append(op::kind, one.kind);
    ops.append_or_null(op::group_id, one.group.empty() ? std::nullopt : std::optional(std::string_view(one.group)));
    ops.append(op::start_ns, *one.start_ns);
    ops.append(op::elapse_ns, *one.elapse_ns);
    ops.append(op::transit_ns, *one.transit_ns);
    ops.append(op::wait_ns, *one.wait_ns);
    ops.append(op::sync_ns, *one.sync_ns);
    ops.append(op::idle_ns, *one.idle_ns);
    ops.append(op::src_pos, one.src_pos);
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
  std::string text;
  SW_ASSIGN_OR_RETURN(const ReadEnd end,
                      read_whole_file(file, relative_path, context, limits::kMaxJsonSummaryBytes, text));
  if (text.empty()) return {};
  make_valid_utf8(text, relative_path, context.diagnostics);
  if (const std::optional<size_t> cut = close_cut_json(text, kOperationDepth)) {
    // A damaged .gz was counted already, and is the reason.
    if (end != ReadEnd::broken) {
      context.diagnostics.count(Diag::file_cut, relative_path, static_cast<int64_t>(*cut));
    }
  }
  if (text.empty()) return {};
  const size_t length = text.size();
  text.resize(length + simdjson::SIMDJSON_PADDING);
  json::parser parser;
  Parser reader({text.data(), length}, relative_path, context);
  std::vector<Operation> operations =
      reader.run(parser, simdjson::padded_string_view(text.data(), length, text.size()));
  if (context.cancel.is_set()) {
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
  }
  if (!reader.is_object()) return {};
  std::stable_sort(operations.begin(), operations.end(),
                   [](const Operation& a, const Operation& b) { return *a.start_ns < *b.start_ns; });
  append(operations, relative_path, out);
  return {};
}

}  // namespace stepwise::ingest
