// The timeline's tables under construction: rows are added in any order, then finished once: put in order, nested,
// given steps, processes and threads. A table comes into being with its first row. Texts and tracks of what is added
// have their final numbers.
//
// Order and the rest are two steps: arrows and links need the order only, and what they take is gone before the rest
// takes its memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/timeline/trace_columns.h"
#include "core/ingest/timeline/trace_event.h"
#include "core/ingest/timeline/trace_nesting.h"
#include "core/ingest/timeline/trace_order.h"
#include "core/store/segment.h"
#include "stepwise/tables_device.hpp"
#include "stepwise/tables_host.hpp"

namespace stepwise::ingest {

/// Where each step lies on the time axis.
class StepRanges {
 public:
  struct Range {
    int64_t step = 0, start_ns = 0, dur_ns = 0, src_pos = 0;
    uint32_t track = 0;
  };
  void add(const Range& range) { ranges_.push_back(range); }
  void finish(store::SegmentBuilder& out, const std::vector<TrackKey>& tracks, int64_t base_ns);
  /// After finish: in order of start.
  const std::vector<Range>& ranges() const { return ranges_; }
  /// After finish: the step whose range holds the time; kNoNumber: none does.
  int64_t step_at(int64_t time_ns) const;
  /// After finish: counts steps of one process that share a number, or begin before the one with the number before.
  void report(const std::vector<TrackKey>& tracks, const std::string& file, Diagnostics& diagnostics) const;

 private:
  std::vector<Range> ranges_;
};

/// What arranging a table needs.
struct Arrangement {
  const std::vector<TrackKey>& tracks;
  const StepRanges& steps;
};

/// What all tables of slices have.
class SliceTable {
 public:
  bool empty() const { return rows_ == nullptr; }
  const char* name() const { return decl_->name; }
  /// Before the base is added.
  int64_t latest_start_ns() const;
  /// Tracks until the table is arranged.
  SliceColumns slices() const;
  /// By which slices of a GPU trace refer to host operators: for every row, or for none.
  void add_external_id(int64_t id) { append_row(external_id_, id); }
  const std::vector<int64_t>& external_ids() const { return external_id_; }
  uint64_t overlapping() const { return overlapping_; }
  int64_t first_overlapping_at() const { return first_overlapping_at_; }
  /// Rows alike an earlier one in track, time, name and ids.
  uint64_t duplicates() const { return duplicates_; }
  int64_t first_duplicate_at() const { return first_duplicate_at_; }

 protected:
  explicit SliceTable(const table::TableDecl& decl) : decl_(&decl) {}
  ~SliceTable() = default;
  store::TableBuilder& rows(store::SegmentBuilder& out);
  /// Adds the base to the starts and puts all columns filled so far in order. Returns the order; empty: as it was.
  std::vector<uint32_t> order_rows(int64_t base_ns, const std::vector<int64_t>& call_order = {});
  void fill_tracks(const std::vector<TrackKey>& tracks, std::vector<int64_t>& pid, std::vector<int64_t>& tid) const;
  /// The last that needs tracks, and ids of host operators: forgets them.
  Nesting nest_slices(const Arrangement& arrangement, const NestingHints& hints = {});
  /// When the rows are in order. ids: what else tells two slices of one track, time and name apart; an empty column
  /// tells nothing.
  void count_duplicates(const std::vector<const std::vector<int64_t>*>& ids, const std::vector<int32_t>& name);
  template <size_t I>
  int64_t number_or_none(table::Col<table::Type::i64, I> col, size_t row) const {
    const store::ColumnBuffer& column = rows_->column(col);
    return column.is_null(row) ? kNoNumber : column.i64[row];
  }

  const table::TableDecl* decl_;
  store::TableBuilder* rows_ = nullptr;
  std::vector<int64_t>*start_ns_ = nullptr, *dur_ns_ = nullptr, *src_pos_ = nullptr;
  std::vector<uint32_t> track_;
  std::vector<int64_t> external_id_;
  uint64_t overlapping_ = 0;
  int64_t first_overlapping_at_ = 0;
  uint64_t duplicates_ = 0;
  int64_t first_duplicate_at_ = 0;
};

/// While rows are collected, kNoNumber and kNoText stand for null: makes them nulls.
void mark_missing(store::ColumnBuffer& column);

/// host_op, python_call, runtime_api: they have the same columns.
class HostTable : public SliceTable {
 public:
  explicit HostTable(const table::TableDecl& decl) : SliceTable(decl) {}
  void add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos);
  /// What becomes external_id: for every row, or for none.
  void add_record_id(int64_t id) { append_row(record_id_, id); }
  /// After the last row. base_ns: added to every time.
  void put_in_order(int64_t base_ns);
  /// Then: processes, threads, nesting, steps.
  void arrange(const Arrangement& arrangement);
  /// For a driver stack whose calls have no category of their own: the layer stands in the name, Layer@call.
  void name_layers(store::Dictionary& dictionary);
  void finish();
  const std::vector<int64_t>& link_ids() const;
  /// Of a row, or kNoNumber.
  int64_t link_id(size_t row) const { return number_or_none(table::host_op::link_id, row); }
  int32_t name_code(size_t row) const { return rows_->values(table::host_op::name)[row]; }

 private:
  std::vector<int64_t> record_id_;
};

class QueueTable : public SliceTable {
 public:
  QueueTable();
  void add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos);
  void put_in_order(int64_t base_ns);
  void arrange(const Arrangement& arrangement);
  void finish(store::Dictionary& dictionary);
  bool is_dequeue(size_t row) const { return is_dequeue_[row] != 0; }
  int64_t link_id(size_t row) const { return number_or_none(table::queue::link_id, row); }

 private:
  std::vector<uint8_t> is_dequeue_;
};

/// What a device's slice is.
enum class DeviceLane : uint8_t { hardware, communication, cuda_sync, gpu_user_annotation, overhead, span };

class DeviceTable : public SliceTable {
 public:
  DeviceTable();
  void add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos, DeviceLane lane);
  void put_in_order(int64_t base_ns);
  void arrange(const Arrangement& arrangement);
  void finish(store::Dictionary& dictionary);
  const std::vector<int64_t>& connection_ids() const;
  /// Of a row, or kNoNumber.
  int64_t stream(size_t row) const { return number_or_none(table::device_task::stream, row); }
  int64_t task_id(size_t row) const { return number_or_none(table::device_task::task_id, row); }
  int64_t connection_id(size_t row) const { return number_or_none(table::device_task::connection_id, row); }
  int32_t name_code(size_t row) const { return rows_->values(table::device_task::name)[row]; }
  const std::vector<DeviceLane>& lanes() const { return lane_; }

 private:
  std::vector<DeviceLane> lane_;
};

class OverlapTable : public SliceTable {
 public:
  OverlapTable();
  void add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos);
  void put_in_order(int64_t base_ns);
};

class CounterTable {
 public:
  void add(store::SegmentBuilder& out, const SampleRecord& sample, int64_t pid, int64_t src_pos);
  void put_in_order(int64_t base_ns);
  int64_t latest_ns() const;

 private:
  store::TableBuilder* rows_ = nullptr;
};

}  // namespace stepwise::ingest
