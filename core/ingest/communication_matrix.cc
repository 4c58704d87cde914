// communication_matrix.json: {step: {p2p | collective: {operation@group: {"src-dst": {size, time, bandwidth}}}}}.
// Newer files digest the operations of a kind (allreduce-top1, -middle, -bottom1..3, -total), those of 2023 name each.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/json_summary.h"
#include "core/ingest/readers.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace json = simdjson::ondemand;
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

/// The sum of several operations.
bool is_total(std::string_view name) { return name == "Total Op Info" || name.ends_with("-total"); }

class Parser {
 public:
  Parser(const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : file_(file), summary_(file, context), out_(out) {}

  Result<void> run(const std::filesystem::path& file) {
    const auto read = [this](const OperationKey& key, json::value value) { return read_operation(key, value); };
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

  simdjson::error_code read_operation(const OperationKey& key, json::value value) {
    return summary_.each_field(
        value, key.place, "an operation",
        [&](std::string_view ranks, json::value link, int64_t place) { return read_link(key, ranks, link, place); });
  }

  simdjson::error_code read_link(const OperationKey& key, std::string_view ranks, json::value value, int64_t place) {
    Link link;
    const size_t dash = ranks.find('-');
    if (dash != std::string_view::npos) {
      link.src_rank = to_integer(ranks.substr(0, dash));
      link.dst_rank = to_integer(ranks.substr(dash + 1));
    }
    const auto error =
        summary_.each_field(value, place, "a link", [&](std::string_view name, json::value cell, int64_t) {
          if (name == "Transit Size(MB)") return summary_.read_scaled(cell, kMbToBytes, link.bytes);
          if (name == "Transit Time(ms)") return summary_.read_scaled(cell, kMsToNs, link.transit_ns);
          if (name == "Bandwidth(GB/s)") return summary_.read_double(cell, link.bandwidth_gb_s);
          if (name == "Transport Type") return read_text(cell, link.transport);
          if (name == "Op Name") return read_text(cell, link.operation);
          return simdjson::SUCCESS;
        });
    if (error) return error;
    if (!link.is_whole()) {
      summary_.count_shape(place, "First: the link \"" + shorten(ranks, 20) + "\" of " + shorten(key.name, 60) +
                                      " has no ranks, size or time that makes sense.");
      return simdjson::SUCCESS;
    }
    append(key, link);
    return simdjson::SUCCESS;
  }

  /// Empty text is nullopt: the exporter did not know.
  static simdjson::error_code read_text(json::value& cell, std::optional<std::string>& out) {
    std::string_view text;
    if (const auto error = cell.get_string().get(text)) return error;
    if (!text.empty()) out = text;
    return simdjson::SUCCESS;
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
    if (link.operation || is_total(key.name)) {
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
