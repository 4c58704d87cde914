// communication_matrix.json: {step: {p2p | collective: {operation@group: {"src-dst": {size, time, bandwidth}}}}}.
// Newer files digest the operations of a kind (allreduce-top1, -middle, -bottom1..3, -total), those of 2023 name each.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/communication.h"
#include "core/ingest/readers.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace matrix = table::comm_matrix;

constexpr int kLinkDepth = 5;  // a link's object lies in operation, kind, step and the root

struct Link {
  std::optional<int64_t> src_rank, dst_rank, bytes, transit_ns;
  std::optional<double> bandwidth_gb_s;
  std::optional<std::string> transport, operation;

  bool is_whole() const {
    return src_rank && dst_rank && bytes && transit_ns && *src_rank >= 0 && *dst_rank >= 0 && *bytes >= 0 &&
           *bytes <= limits::kMaxCount && *transit_ns >= 0 && *transit_ns <= limits::kMaxDurationNs;
  }
};

class Parser {
 public:
  Parser(const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : file_(file), summary_(file, context), out_(out) {}

  Result<void> run(const std::filesystem::path& file) {
    const auto read = [this](const OperationKey& key, JsonNode value) { return read_operation(key, value); };
    SW_ASSIGN_OR_RETURN(const bool is_read, summary_.read(file, kLinkDepth, read));
    if (is_read) rows();  // a file without links is "looked, and there was none"
    return {};
  }

 private:
  store::TableBuilder& rows() {
    store::TableBuilder& rows = out_.table(matrix::kTable);
    out_.set_source_file(matrix::kTable, file_);
    return rows;
  }

  Walk read_operation(const OperationKey& key, JsonNode value) {
    const auto take = [&](std::string_view ranks, JsonNode link, int64_t place) {
      return read_link(key, ranks, link, place);
    };
    return summary_.each_field(value, key.place, "an operation", take);
  }

  Walk read_link(const OperationKey& key, std::string_view ranks, JsonNode value, int64_t place) {
    Link link;
    const size_t dash = ranks.find('-');
    if (dash != std::string_view::npos) {
      link.src_rank = to_integer(ranks.substr(0, dash));
      link.dst_rank = to_integer(ranks.substr(dash + 1));
    }
    const auto take = [&](std::string_view name, JsonNode cell, int64_t) {
      if (name == "Transit Size(MB)") link.bytes = cell.scaled(kMbToBytes);
      if (name == "Transit Time(ms)") link.transit_ns = cell.scaled(kMsToNs);
      if (name == "Bandwidth(GB/s)") link.bandwidth_gb_s = summary_.real(cell);
      if (name == "Transport Type") link.transport = cell.text();  // empty: the exporter did not know
      if (name == "Op Name") link.operation = cell.text();
      return Walk::done;
    };
    if (const Walk walk = summary_.each_field(value, place, "a link", take); walk != Walk::done) return walk;
    if (link.is_whole()) {
      append(key, link);
    } else {
      summary_.count_shape(place, "First: the link \"" + shorten(ranks, 20) + "\" of " + shorten(key.name, 60) +
                                      " has no ranks, size or time that makes sense.");
    }
    return Walk::done;
  }

  void append(const OperationKey& key, const Link& link) {
    store::TableBuilder& rows = this->rows();
    rows.append_or_null(matrix::step, key.step);
    rows.append(matrix::name, key.name);
    rows.append(matrix::kind, key.kind);
    rows.append_or_null(matrix::group_id, key.group);
    rows.append(matrix::src_rank, *link.src_rank);
    rows.append(matrix::dst_rank, *link.dst_rank);
    rows.append_or_null(matrix::transport, link.transport);
    rows.append(matrix::bytes, *link.bytes);
    rows.append(matrix::transit_ns, *link.transit_ns);
    rows.append_or_null(matrix::bandwidth_gb_s, link.bandwidth_gb_s);
    if (link.operation || is_total_of_matrix(key.name)) {
      rows.append_or_null(matrix::op_name, link.operation);
    } else {
      rows.append(matrix::op_name, key.name);
    }
    rows.end_row();
  }

  const std::string& file_;
  JsonSummary summary_;
  store::SegmentBuilder& out_;
};

}  // namespace

Result<void> read_communication_matrix(const std::filesystem::path& file, const std::string& relative_path,
                                       IngestContext& context, store::SegmentBuilder& out) {
  return Parser(relative_path, context, out).run(file);
}

}  // namespace stepwise::ingest
