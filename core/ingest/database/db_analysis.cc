// analysis.db: what step_trace_time.csv, communication.json and communication_matrix.json hold in an export as text.
// Steps are in us, times of communication in ms, sizes in MB.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/database/db_open.h"
#include "core/ingest/database/db_values.h"
#include "core/ingest/exports/communication.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

void read_steps(Database& database, const std::string& file, IngestContext& context, store::SegmentBuilder& out) {
  namespace step = table::step;
  DbRows rows(database, "StepTraceTime",
              {required("computing"),
               required("communication_not_overlapped"),
               required("overlapped"),
               required("communication"),
               required("free"),
               required("stage"),
               required("bubble"),
               {"communication_not_overlapped_and_exclude_receive"},
               {"preparing"},
               {"step"},
               {"deviceId"}},
              file, context);
  while (rows.next()) {
    std::optional<int64_t> times[7];
    bool is_whole = true;
    for (size_t i = 0; i < 7; ++i) {
      times[i] = duration_in(rows, i, kUsToNs);
      is_whole &= times[i].has_value();
    }
    if (!is_whole) {
      rows.leave_out("lacks one of its times");
      continue;
    }
    store::TableBuilder& to = out.table(step::kTable);
    to.append_or_null(step::step, rows.integer(9));
    to.append_or_null(step::device, rows.integer(10));
    to.append(step::computing_ns, *times[0]);
    to.append(step::not_overlapped_ns, *times[1]);
    to.append(step::overlapped_ns, *times[2]);
    to.append(step::communication_ns, *times[3]);
    to.append(step::free_ns, *times[4]);
    to.append(step::stage_ns, *times[5]);
    to.append(step::bubble_ns, *times[6]);
    to.append_or_null(step::not_overlapped_exclude_receive_ns, duration_in(rows, 7, kUsToNs));
    to.append_or_null(step::preparing_ns, rows.scaled(8, kUsToNs));
    to.null(step::iteration_ns);
    to.null(step::start_ns);
    to.null(step::end_ns);
    to.append(step::src_pos, rows.number());
    to.end_row();
    out.set_source_file(step::kTable, file);
  }
}

/// The texts in columns first to first + 3: name, group, step, kind. False: they make no operation.
bool read_key(const DbRows& rows, size_t first, OperationKey& key) {
  const auto name = rows.text(first), group = rows.text(first + 1), kind = rows.text(first + 3);
  if (!name || !kind || !read_db_step(rows.text(first + 2), key.step)) return false;
  key.name = to_valid_utf8(*name);
  key.kind = to_valid_utf8(*kind);
  if (group && !group->empty()) key.group = to_valid_utf8(*group);
  key.place = rows.number();
  return true;
}

using KeyOrder = std::tuple<std::optional<int64_t>, std::string, std::string, std::optional<std::string>>;
KeyOrder order_of(const OperationKey& key) { return {key.step, key.kind, key.name, key.group}; }

using Operations = std::vector<CommOperation>;
using OperationIndex = std::map<KeyOrder, size_t>;

bool read_times(Database& database, const std::string& file, IngestContext& context, Operations& operations,
                OperationIndex& index) {
  DbRows rows(database, "CommAnalyzerTime",
              {required("hccl_op_name"), required("group_name"), required("step"), required("type"),
               required("start_timestamp"), required("elapse_time"), required("transit_time"), required("wait_time"),
               required("synchronization_time"), required("idle_time")},
              file, context);
  const bool is_there = rows.is_there();
  while (rows.next()) {
    CommOperation one;
    const bool has_key = read_key(rows, 0, one.key);
    if (has_key && one.key.name == kTotalOperation) continue;  // sums of the others
    one.start_ns = rows.scaled(4, kUsToNs);
    if (one.start_ns && (*one.start_ns < 0 || *one.start_ns > limits::kMaxInstantNs)) one.start_ns.reset();
    one.elapse_ns = duration_in(rows, 5, kMsToNs);
    one.transit_ns = duration_in(rows, 6, kMsToNs);
    one.wait_ns = duration_in(rows, 7, kMsToNs);
    one.sync_ns = duration_in(rows, 8, kMsToNs);
    one.idle_ns = duration_in(rows, 9, kMsToNs);
    if (!has_key || !one.is_whole()) {
      rows.leave_out("lacks its name, step or one of its six times");
      continue;
    }
    index.emplace(order_of(one.key), operations.size());
    operations.push_back(std::move(one));
  }
  return is_there;
}

/// One row for each size of packet; those of one transport repeat its figures.
void read_traffic(Database& database, const std::string& file, IngestContext& context, Operations& operations,
                  const OperationIndex& index) {
  DbRows rows(database, "CommAnalyzerBandwidth",
              {required("hccl_op_name"),
               required("group_name"),
               required("step"),
               required("type"),
               required("transport_type"),
               required("transit_size"),
               required("transit_time"),
               {"bandwidth"},
               {"large_packet_ratio"},
               {"package_size"},
               {"count"},
               {"total_duration"}},
              file, context);
  while (rows.next()) {
    OperationKey key;
    const bool has_key = read_key(rows, 0, key);
    if (has_key && key.name == kTotalOperation) continue;
    const auto it = has_key ? index.find(order_of(key)) : index.end();
    const auto transport = rows.text(4);
    const auto bytes = amount_in(rows, 5, kMbToBytes), transit_ns = duration_in(rows, 6, kMsToNs);
    if (it == index.end() || !transport || !bytes || !transit_ns) {
      rows.leave_out("belongs to no operation, or lacks its transport, size or time");
      continue;
    }
    CommLink* const link =
        link_of(operations[it->second], {to_valid_utf8(*transport), bytes, transit_ns, rows.real(7), rows.real(8), {}});
    if (link == nullptr) {
      rows.leave_out("names more transports of an operation than there are");
      continue;
    }
    const auto packet_bytes = amount_in(rows, 9, kMbToBytes), count = amount_in(rows, 10, 0);
    const auto total_ns = duration_in(rows, 11, kMsToNs);
    if (packet_bytes && count && total_ns && *count > 0) {
      link->packets.push_back({*packet_bytes, *count, *total_ns});
    }
  }
}

void read_matrix(Database& database, const std::string& file, IngestContext& context, store::SegmentBuilder& out) {
  namespace matrix = table::comm_matrix;
  DbRows rows(database, "CommAnalyzerMatrix",
              {required("hccl_op_name"),
               required("group_name"),
               required("step"),
               required("type"),
               required("src_rank"),
               required("dst_rank"),
               required("transit_size"),
               required("transit_time"),
               {"transport_type"},
               {"bandwidth"},
               {"op_name"}},
              file, context);
  if (!rows.is_there()) return;
  store::TableBuilder& to = out.table(matrix::kTable);  // without rows it is "looked, and there was none"
  out.set_source_file(matrix::kTable, file);
  while (rows.next()) {
    OperationKey key;
    const auto src = rows.integer(4), dst = rows.integer(5);
    const auto bytes = amount_in(rows, 6, kMbToBytes), transit_ns = duration_in(rows, 7, kMsToNs);
    if (!read_key(rows, 0, key) || !src || !dst || *src < 0 || *dst < 0 || !bytes || !transit_ns) {
      rows.leave_out("has no operation, ranks, size or time that make sense");
      continue;
    }
    to.append_or_null(matrix::step, key.step);
    to.append(matrix::name, key.name);
    to.append(matrix::kind, key.kind);
    to.append_or_null(matrix::group_id, key.group);
    to.append(matrix::src_rank, *src);
    to.append(matrix::dst_rank, *dst);
    to.append_or_null(matrix::transport, text_in(rows, 8));
    to.append(matrix::bytes, *bytes);
    to.append(matrix::transit_ns, *transit_ns);
    to.append_or_null(matrix::bandwidth_gb_s, rows.real(9));
    to.append_or_null(matrix::op_name, operation_behind(key.name, text_in(rows, 10)));
    to.end_row();
  }
}

}  // namespace

Result<void> read_analysis_db(const std::filesystem::path& file, const std::string& relative_path,
                              IngestContext& context, store::SegmentBuilder& out) {
  std::optional<Database> database = open_database(file, relative_path, context);
  if (!database) return {};
  if (!out.has(table::step::kTable)) read_steps(*database, relative_path, context, out);
  if (!out.has(table::comm_op::kTable)) {
    Operations operations;
    OperationIndex index;
    if (read_times(*database, relative_path, context, operations, index)) {
      read_traffic(*database, relative_path, context, operations, index);
      append_operations(std::move(operations), relative_path, out);
    }
  }
  if (!out.has(table::comm_matrix::kTable)) read_matrix(*database, relative_path, context, out);
  count_unused_tables(*database, {"StepTraceTime", "CommAnalyzerTime", "CommAnalyzerBandwidth", "CommAnalyzerMatrix"},
                      relative_path, context);
  return close_database(relative_path, context);
}

}  // namespace stepwise::ingest
