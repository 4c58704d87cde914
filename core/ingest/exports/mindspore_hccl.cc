// hccl_raw_<device>.csv of MindSpore before 2.4: a row for each step, whose cells hold JSON. What each operator moved
// between two ranks becomes comm_matrix; when it ran is not told. The last row holds means; its step is "-".
//
// {"stream_41_0_AllReduce-op4582": ["1", ms of transfer, ms of waiting, {"1-0": {"SDMA": [ms, KB, KB/s]}}]}
#include <optional>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/base/json_summary.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/base/scaled_double.h"
#include "core/ingest/csv/csv_rows.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace matrix = table::comm_matrix;

constexpr int kKbToBytes = 3;
constexpr double kKbOfGb = 1e6;

enum Column : size_t { kStep, kOperators };
constexpr CsvColumnName kColumns[] = {
    {{"step_num", nullptr, nullptr}, true},
    {{"communication_operator_cost", nullptr, nullptr}, true},
};

std::optional<int64_t> scaled(const Json& value, int scale, int64_t most) {
  const auto number = value.is_number() ? scaled_double(value.get<double>(), scale) : std::nullopt;
  return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

/// "stream_41_0_Send-op7": one rank sends to another; the rest are collective.
const char* kind_of(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('_') + 1);
  return last.starts_with("Send-") || last.starts_with("Receive-") ? "p2p" : "collective";
}

class Steps {
 public:
  Steps(const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : file_(file), context_(context), out_(out) {}

  void take(std::span<const std::string_view> cells, int64_t number, int64_t line) {
    number_ = number, line_ = line;
    if (trim(cells[kStep]) == "-") return;
    const auto step = to_integer(cells[kStep]);
    if (!step) return lose("step_num is no number");
    if (*step == 0) return;  // the means, in older files
    if (cells[kOperators].empty()) return;
    const Result<Json> operators = parse_json(cells[kOperators]);
    if (!operators.ok() || !operators.value().is_object()) return lose("communication_operator_cost is no JSON object");
    rows();  // a step without operators is "looked, and there was none"
    for (const auto& [name, cost] : operators.value().items()) take_operator(*step, name, cost);
  }

 private:
  void take_operator(int64_t step, const std::string& name, const Json& cost) {
    constexpr size_t kLinks = 3;
    if (!cost.is_array() || cost.size() <= kLinks || !cost[kLinks].is_object()) {
      return lose(shorten(name, 60) + " has no links");
    }
    for (const auto& [ranks, transports] : cost[kLinks].items()) {
      if (!transports.is_object()) return lose(shorten(name, 60) + " has a link without transports");
      for (const auto& [transport, values] : transports.items()) {
        if (!append(step, name, ranks, transport, values)) {
          lose(shorten(name, 60) + " has a link without ranks, time or size that make sense");
        }
      }
    }
  }

  bool append(int64_t step, const std::string& name, std::string_view ranks, const std::string& transport,
              const Json& values) {
    const size_t dash = ranks.find('-');
    if (dash == ranks.npos || !values.is_array() || values.size() < 2) return false;
    const auto source = to_integer(ranks.substr(0, dash)), target = to_integer(ranks.substr(dash + 1));
    const auto transit_ns = scaled(values[0], kMsToNs, limits::kMaxDurationNs);
    const auto bytes = scaled(values[1], kKbToBytes, limits::kMaxCount);
    if (!source || !target || *source < 0 || *target < 0 || !transit_ns || !bytes) return false;
    store::TableBuilder& rows = this->rows();
    rows.append(matrix::step, step);
    rows.append(matrix::name, name);
    rows.append(matrix::kind, kind_of(name));
    rows.null(matrix::group_id);
    rows.append(matrix::src_rank, *source);
    rows.append(matrix::dst_rank, *target);
    rows.append(matrix::transport, transport);
    rows.append(matrix::bytes, *bytes);
    rows.append(matrix::transit_ns, *transit_ns);
    if (values.size() > 2 && values[2].is_number()) {
      rows.append(matrix::bandwidth_gb_s, values[2].get<double>() / kKbOfGb);
    } else {
      rows.null(matrix::bandwidth_gb_s);
    }
    rows.append(matrix::op_name, name);
    rows.end_row();
    return true;
  }

  store::TableBuilder& rows() {
    out_.set_source_file(matrix::kTable, file_);
    return out_.table(matrix::kTable);
  }
  void lose(const std::string& what) const {
    context_.diagnostics.count(Diag::csv_bad_cell, file_, line_, 1,
                               "First: row " + std::to_string(number_) + ", " + what + ".");
  }

  const std::string& file_;
  IngestContext& context_;
  store::SegmentBuilder& out_;
  int64_t number_ = 0, line_ = 0;
};

}  // namespace

Result<void> read_ms_hccl(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                          store::SegmentBuilder& out) {
  Steps steps(relative_path, context, out);
  return read_csv_rows(kColumns, file, relative_path, context,
                       [&](auto cells, int64_t number, int64_t line) { steps.take(cells, number, line); });
}

}  // namespace stepwise::ingest
