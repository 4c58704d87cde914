// cluster_communication.json: {p2p | "(0, 1)": {step: {operation@group: {rank: {time info, bandwidth info}}}}}.
#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/cluster/cluster_rows.h"

namespace stepwise::ingest {
namespace {

constexpr int kRankDepth = 5;  // a rank's object lies in operation, step, group and the root

class Parser {
 public:
  Parser(const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : file_(file), summary_(file, context), out_(out) {}

  Result<void> run(const std::filesystem::path& file) {
    const auto read = [this](const OperationKey& key, JsonNode value) { return read_operation(key, value); };
    SW_RETURN_IF_ERROR(summary_.read(file, kRankDepth, read, JsonSummary::Nesting::group_first));
    return {};
  }

 private:
  Walk read_operation(const OperationKey& key, JsonNode value) {
    if (key.name == kTotalOperation) return Walk::done;
    const auto take = [&](std::string_view rank, JsonNode info, int64_t place) {
      return read_rank(key, rank, info, place);
    };
    return summary_.each_field(value, key.place, "an operation", take);
  }

  Walk read_rank(const OperationKey& key, std::string_view rank, JsonNode value, int64_t place) {
    CommOperation operation;
    operation.key = key;
    operation.key.place = place;
    const Walk walk = read_comm_operation(summary_, value, place, "an operation's rank", operation);
    if (walk != Walk::done) return walk;
    const auto number = to_integer(rank);
    if (number && *number >= 0 && operation.has_times()) {
      append_cluster_operation(operation, *number, file_, out_);
    } else {
      summary_.count_shape(place, "First: " + shorten(key.name, 60) + " of \"" + shorten(rank, 20) +
                                      "\", which is no rank or lacks one of its times.");
    }
    return Walk::done;
  }

  const std::string& file_;
  JsonSummary summary_;
  store::SegmentBuilder& out_;
};

}  // namespace

Result<void> read_cluster_communication(const std::filesystem::path& file, const std::string& relative_path,
                                        IngestContext& context, store::SegmentBuilder& out) {
  return Parser(relative_path, context, out).run(file);
}

}  // namespace stepwise::ingest
