// cluster_analysis.db: what the text files of a cluster analysis hold. Steps are in us, times of communication in ms,
// sizes in MB. The simplified form of the tables has other names, and no column of ranks.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/base/rank_set.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/cluster/cluster_rows.h"
#include "core/ingest/database/db_open.h"
#include "core/ingest/database/db_values.h"
#include "stepwise/tables_cluster.hpp"

namespace stepwise::ingest {
namespace {

constexpr const char *kSteps = "ClusterStepTraceTime", *kMatrix = "ClusterCommAnalyzerMatrix",
                     *kTimes = "ClusterCommAnalyzerTime", *kTraffic = "ClusterCommAnalyzerBandwidth",
                     *kGroups = "CommunicationGroup", *kShortMatrix = "ClusterCommunicationMatrix",
                     *kShortTimes = "ClusterCommunicationTime", *kShortTraffic = "ClusterCommunicationBandwidth",
                     *kShortGroups = "CommunicationGroupMapping";

class ClusterDb {
 public:
  ClusterDb(Database& database, const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : database_(database), file_(file), context_(context), out_(out) {}

  void read_steps();
  void read_operations();
  void read_matrix();
  void read_groups();

 private:
  /// The form that this database has.
  const char* either(const char* full, const char* simplified) const { return database_.has(full) ? full : simplified; }
  /// Columns 0 to 3: operation, group, step, group's ranks or "p2p". False: they make no operation.
  static bool read_key(const DbRows& rows, OperationKey& key);
  void read_traffic();

  using OperationOrder =
      std::tuple<std::optional<int64_t>, std::string, std::optional<std::string>, std::optional<std::string>, int64_t>;
  static OperationOrder order_of(const OperationKey& key, int64_t rank) {
    return {key.step, key.name, key.group, key.ranks, rank};
  }

  Database& database_;
  const std::string& file_;
  IngestContext& context_;
  store::SegmentBuilder& out_;
  std::vector<std::pair<CommOperation, int64_t>> operations_;  // with their ranks
  std::map<OperationOrder, size_t> index_;
};

void ClusterDb::read_steps() {
  namespace step = table::cluster_step;
  constexpr size_t kSums = 7;
  DbRows rows(database_, kSteps,
              {required("computing"),
               required("communication_not_overlapped"),
               required("overlapped"),
               required("communication"),
               required("free"),
               required("stage"),
               required("bubble"),
               required("type"),
               required("index"),
               {"communication_not_overlapped_and_exclude_receive"},
               {"preparing"},
               {"step"},
               {"dp_index"},
               {"pp_index"},
               {"tp_index"}},
              file_, context_);
  std::set<int64_t> ranks;
  bool has_indexes = false;
  while (rows.next()) {
    std::optional<int64_t> times[kSums];
    bool is_whole = true;
    for (size_t i = 0; i < kSums; ++i) {
      times[i] = duration_in(rows, i, kUsToNs);
      is_whole &= times[i].has_value();
    }
    const auto kind = text_in(rows, 7);
    const auto rank = rows.integer(8);
    const auto stage = rank ? std::nullopt : rank_set_of(rows.text(8).value_or(""));
    if (!is_whole || !kind || (!stage && !rank) || (rank && *rank < 0)) {
      rows.leave_out("lacks its type, its ranks or one of its times");
      continue;
    }
    if (!out_.has(step::kTable)) out_.set_source_file(step::kTable, file_);
    store::TableBuilder& to = out_.table(step::kTable);
    to.append_or_null(step::step, rows.integer(11));
    to.append(step::kind, *kind);
    to.append_or_null(step::of_rank, rank);
    to.append_or_null(step::stage_ranks, stage);
    to.append(step::computing_ns, *times[0]);
    to.append(step::not_overlapped_ns, *times[1]);
    to.append(step::overlapped_ns, *times[2]);
    to.append(step::communication_ns, *times[3]);
    to.append(step::free_ns, *times[4]);
    to.append(step::stage_ns, *times[5]);
    to.append(step::bubble_ns, *times[6]);
    to.append_or_null(step::not_overlapped_exclude_receive_ns, duration_in(rows, 9, kUsToNs));
    to.append_or_null(step::preparing_ns, rows.scaled(10, kUsToNs));
    to.append_or_null(step::dp_index, rows.integer(12));
    to.append_or_null(step::pp_index, rows.integer(13));
    to.append_or_null(step::tp_index, rows.integer(14));
    to.append(step::src_pos, rows.number());
    to.end_row();
    if (rank) ranks.insert(*rank);
    has_indexes |=
        rows.integer(12).value_or(0) != 0 || rows.integer(13).value_or(0) != 0 || rows.integer(14).value_or(0) != 0;
  }
  // The exporter fills the columns of a run that it knows no parallel strategy of with zeros.
  if (has_indexes || ranks.size() < 2 || !out_.has(step::kTable)) return;
  store::TableBuilder& steps = out_.table(step::kTable);
  for (store::ColumnBuffer* column :
       {&steps.column(step::dp_index), &steps.column(step::pp_index), &steps.column(step::tp_index)}) {
    column->valid.assign(steps.rows(), false);
    column->null_count = steps.rows();
  }
}

bool ClusterDb::read_key(const DbRows& rows, OperationKey& key) {
  const auto name = text_in(rows, 0);
  if (!name || !read_db_step(rows.text(2), key.step)) return false;
  key.name = *name;
  key.group = text_in(rows, 1);
  key.place = rows.number();
  const auto ranks = text_in(rows, 3);
  if (ranks) return read_group_key(*ranks, key);
  // The simplified form does not say it otherwise.
  key.kind = is_pairwise(key.name) ? "p2p" : "collective";
  return true;
}

void ClusterDb::read_operations() {
  DbRows rows(database_, either(kTimes, kShortTimes),
              {required("hccl_op_name"),
               required("group_name"),
               required("step"),
               {"rank_set"},
               required("rank_id"),
               {"start_timestamp"},
               required("elapsed_time", "elapse_time"),
               required("transit_time"),
               required("wait_time"),
               required("synchronization_time"),
               required("idle_time")},
              file_, context_);
  while (rows.next()) {
    CommOperation one;
    const bool has_key = read_key(rows, one.key);
    if (has_key && one.key.name == kTotalOperation) continue;  // sums of the others
    const auto rank = rows.integer(4);
    one.start_ns = rows.scaled(5, kUsToNs);
    if (one.start_ns && (*one.start_ns < 0 || *one.start_ns > limits::kMaxInstantNs)) one.start_ns.reset();
    one.elapse_ns = duration_in(rows, 6, kMsToNs);
    one.transit_ns = duration_in(rows, 7, kMsToNs);
    one.wait_ns = duration_in(rows, 8, kMsToNs);
    one.sync_ns = duration_in(rows, 9, kMsToNs);
    one.idle_ns = duration_in(rows, 10, kMsToNs);
    if (!has_key || !rank || *rank < 0 || !one.has_times()) {
      rows.leave_out("lacks its operation, rank, step or one of its times");
      continue;
    }
    index_.emplace(order_of(one.key, *rank), operations_.size());
    operations_.emplace_back(std::move(one), *rank);
  }
  read_traffic();
  for (const auto& [operation, rank] : operations_) append_cluster_operation(operation, rank, file_, out_);
}

/// One row for each size of packet; those of one transport repeat its figures.
void ClusterDb::read_traffic() {
  DbRows rows(database_, either(kTraffic, kShortTraffic),
              {required("hccl_op_name"),
               required("group_name"),
               required("step"),
               {"rank_set"},
               required("rank_id"),
               required("band_type", "transport_type"),
               required("transit_size"),
               required("transit_time"),
               {"bandwidth"},
               {"large_packet_ratio"}},
              file_, context_);
  while (rows.next()) {
    OperationKey key;
    const bool has_key = read_key(rows, key);
    if (has_key && key.name == kTotalOperation) continue;
    const auto it = has_key ? index_.find(order_of(key, rows.integer(4).value_or(-1))) : index_.end();
    const auto transport = text_in(rows, 5);
    const auto bytes = amount_in(rows, 6, kMbToBytes), transit_ns = duration_in(rows, 7, kMsToNs);
    if (it == index_.end() || !transport || !bytes || !transit_ns) {
      rows.leave_out("belongs to no operation, or lacks its transport, size or time");
      continue;
    }
    CommLink link{*transport, bytes, transit_ns, rows.real(8), rows.real(9), {}};
    if (link_of(operations_[it->second].first, std::move(link)) == nullptr) {
      rows.leave_out("names more transports of an operation than there are");
    }
  }
}

void ClusterDb::read_matrix() {
  DbRows rows(database_, either(kMatrix, kShortMatrix),
              {required("hccl_op_name"),
               required("group_name"),
               required("step"),
               {"rank_set"},
               required("src_rank"),
               required("dst_rank"),
               required("transit_size"),
               required("transit_time"),
               {"transport_type"},
               {"bandwidth"},
               {"op_name"}},
              file_, context_);
  while (rows.next()) {
    OperationKey key;
    const bool has_key = read_key(rows, key);
    const MatrixLink link{
        rows.integer(4),  rows.integer(5),  amount_in(rows, 6, kMbToBytes), duration_in(rows, 7, kMsToNs), rows.real(9),
        text_in(rows, 8), text_in(rows, 10)};
    if (has_key && link.is_whole()) {
      append_cluster_link(key, link, file_, out_);
    } else {
      rows.leave_out("has no operation, ranks, size or time that make sense");
    }
  }
}

void ClusterDb::read_groups() {
  DbRows rows(database_, either(kGroups, kShortGroups),
              {required("type"), required("rank_set"), {"group_name"}, {"group_id"}, {"pg_name"}}, file_, context_);
  while (rows.next()) {
    const auto kind = text_in(rows, 0);
    const auto ranks = rank_set_of(rows.text(1).value_or(""));
    if (kind && ranks) {
      append_group({*kind, *ranks, text_in(rows, 2), text_in(rows, 3), text_in(rows, 4), rows.number()}, file_, out_);
    } else {
      rows.leave_out("lacks its type or its ranks");
    }
  }
}

}  // namespace

Result<void> read_cluster_db(const std::filesystem::path& file, const std::string& relative_path,
                             IngestContext& context, store::SegmentBuilder& out) {
  std::optional<Database> database = open_database(file, relative_path, context);
  if (!database) return {};
  ClusterDb reader(*database, relative_path, context, out);
  if (!out.has(table::cluster_step::kTable)) reader.read_steps();
  if (!out.has(table::cluster_comm_op::kTable)) reader.read_operations();
  if (!out.has(table::cluster_comm_matrix::kTable)) reader.read_matrix();
  if (!out.has(table::comm_group::kTable)) reader.read_groups();
  count_unused_tables(
      *database, {kSteps, kMatrix, kTimes, kTraffic, kGroups, kShortMatrix, kShortTimes, kShortTraffic, kShortGroups},
      relative_path, context);
  return close_database(relative_path, context);
}

}  // namespace stepwise::ingest
