// communication_matrix.json: {step: {p2p | collective: {operation@group: {"src-dst": {size, time, bandwidth}}}}}.
// Newer files digest the operations of a kind (allreduce-top1, -middle, -bottom1..3, -total), those of 2023 name each.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/exports/communication.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace matrix = table::comm_matrix;

constexpr int kLinkDepth = 5;  // a link's object lies in operation, kind, step and the root

class Parser {
 public:
  Parser(const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : file_(file), summary_(file, context), out_(out) {}

  Result<void> run(const std::filesystem::path& file) {
    const auto take = [this](const OperationKey& key, const MatrixLink& link) { append(key, link); };
    const auto read = [&](const OperationKey& key, JsonNode value) { return read_links(summary_, key, value, take); };
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

  void append(const OperationKey& key, const MatrixLink& link) {
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
    rows.append_or_null(matrix::op_name, operation_behind(key.name, link.operation));
    rows.end_row();
  }

  const std::string& file_;
  JsonSummary summary_;
  store::SegmentBuilder& out_;
};

}  // namespace

Walk read_links(JsonSummary& summary, const OperationKey& key, JsonNode value, const OnLink& visit) {
  const auto take_link = [&](std::string_view ranks, JsonNode node, int64_t place) {
    MatrixLink link;
    const size_t dash = ranks.find('-');
    if (dash != std::string_view::npos) {
      link.src_rank = to_integer(ranks.substr(0, dash));
      link.dst_rank = to_integer(ranks.substr(dash + 1));
    }
    const auto take = [&](std::string_view name, JsonNode cell, int64_t) {
      if (name == "Transit Size(MB)") link.bytes = cell.scaled(kMbToBytes);
      if (name == "Transit Time(ms)") link.transit_ns = cell.scaled(kMsToNs);
      if (name == "Bandwidth(GB/s)") link.bandwidth_gb_s = summary.real(cell);
      if (name == "Transport Type") link.transport = cell.text();  // empty: the exporter did not know
      if (name == "Op Name") link.operation = cell.text();
      return Walk::done;
    };
    if (const Walk walk = summary.each_field(node, place, "a link", take); walk != Walk::done) return walk;
    if (link.is_whole()) {
      visit(key, link);
    } else {
      summary.count_shape(place, "First: the link \"" + shorten(ranks, 20) + "\" of " + shorten(key.name, 60) +
                                     " has no ranks, size or time that makes sense.");
    }
    return Walk::done;
  };
  return summary.each_field(value, key.place, "an operation", take_link);
}

Result<void> read_communication_matrix(const std::filesystem::path& file, const std::string& relative_path,
                                       IngestContext& context, store::SegmentBuilder& out) {
  return Parser(relative_path, context, out).run(file);
}

}  // namespace stepwise::ingest
