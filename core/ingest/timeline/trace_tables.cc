#include "core/ingest/timeline/trace_tables.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/ingest/timeline/trace_columns.h"
#include "stepwise/tables_device.hpp"
#include "stepwise/tables_host.hpp"

namespace stepwise::ingest {
namespace {

namespace counter = table::counter;
namespace device_task = table::device_task;
namespace host_op = table::host_op;
namespace overlap_span = table::overlap_span;
namespace queue = table::queue;
namespace step_range = table::step_range;

constexpr bool has_columns_of_host_op(const table::TableDecl& decl) {
  if (decl.columns.size() != host_op::kTable.columns.size()) return false;
  for (size_t i = 0; i < decl.columns.size(); ++i) {
    const table::ColumnDecl &a = decl.columns[i], &b = host_op::kTable.columns[i];
    if (std::string_view(a.name) != b.name || a.type != b.type || a.nullable != b.nullable) return false;
  }
  return true;
}
static_assert(has_columns_of_host_op(table::python_call::kTable) && has_columns_of_host_op(table::runtime_api::kTable),
              "host_op's handles are used for them too");

void mark_null(store::ColumnBuffer& column, size_t row, size_t rows) {
  if (column.valid.empty()) column.valid.assign(rows, true);
  column.valid[row] = false;
  ++column.null_count;
}

void add_base(std::vector<int64_t>& times_ns, int64_t base_ns) {
  if (base_ns == 0) return;
  for (int64_t& time : times_ns) time += base_ns;
}

void reorder_filled(store::TableBuilder& rows, const std::vector<uint32_t>& order) {
  if (order.empty()) return;
  for (store::ColumnBuffer& column : rows.columns()) {
    if (!column.i64.empty()) reorder(column.i64, order);
    if (!column.f64.empty()) reorder(column.f64, order);
    if (!column.code.empty()) reorder(column.code, order);
  }
}

/// The step that each slice starts in; both are in order of start.
void fill_steps(const StepRanges& steps, std::span<const int64_t> start_ns, store::ColumnBuffer& column) {
  const auto& ranges = steps.ranges();
  reserve_in_huge_pages(column.i64, start_ns.size());
  column.i64.assign(start_ns.size(), kNoNumber);
  size_t next = 0;
  for (size_t row = 0; row < start_ns.size(); ++row) {
    while (next < ranges.size() && ranges[next].start_ns <= start_ns[row]) ++next;
    if (next == 0) continue;
    const StepRanges::Range& range = ranges[next - 1];
    if (start_ns[row] < range.start_ns + range.dur_ns) column.i64[row] = range.step;
  }
}

/// A code made from another by a function of their texts, computed once for each.
template <class Make>
void map_codes(std::vector<int32_t>& from_to, store::Dictionary& dictionary, Make make) {
  constexpr int32_t kUnknown = -2;
  std::vector<int32_t> made(dictionary.size(), kUnknown);
  for (int32_t& code : from_to) {
    int32_t& to = made[static_cast<size_t>(code)];
    if (to == kUnknown) to = make(dictionary.at(code));
    code = to;
  }
}

}  // namespace

void mark_missing(store::ColumnBuffer& column) {
  for (size_t row = 0; row < column.i64.size(); ++row) {
    if (column.i64[row] != kNoNumber) continue;
    mark_null(column, row, column.i64.size());
    column.i64[row] = 0;
  }
  for (size_t row = 0; row < column.code.size(); ++row) {
    if (column.code[row] != kNoText) continue;
    mark_null(column, row, column.code.size());
    column.code[row] = 0;
  }
}

int64_t StepRanges::step_at(int64_t time_ns) const {
  const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), time_ns,
                                       [](int64_t time, const Range& range) { return time < range.start_ns; });
  if (behind == ranges_.begin()) return kNoNumber;
  const Range& range = behind[-1];
  return time_ns < range.start_ns + range.dur_ns ? range.step : kNoNumber;
}

void StepRanges::finish(store::SegmentBuilder& out, const std::vector<TrackKey>& tracks, int64_t base_ns) {
  for (Range& range : ranges_) range.start_ns += base_ns;
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
    if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
    if (a.dur_ns != b.dur_ns) return a.dur_ns > b.dur_ns;
    return a.src_pos < b.src_pos;
  });
  if (ranges_.empty()) return;
  store::TableBuilder& rows = out.table(step_range::kTable);
  for (const Range& range : ranges_) {
    rows.append(step_range::step, range.step);
    rows.append(step_range::start_ns, range.start_ns);
    rows.append(step_range::dur_ns, range.dur_ns);
    rows.append(step_range::pid, tracks[range.track].pid);
    rows.append(step_range::tid, tracks[range.track].tid);
    rows.append(step_range::src_pos, range.src_pos);
    rows.end_row();
  }
}

SliceColumns SliceTable::slices() const {
  if (empty()) return {};
  return {*start_ns_, *dur_ns_, track_, *src_pos_};
}

int64_t SliceTable::latest_start_ns() const {
  return empty() ? 0 : *std::max_element(start_ns_->begin(), start_ns_->end());
}

store::TableBuilder& SliceTable::rows(store::SegmentBuilder& out) {
  if (rows_ == nullptr) rows_ = &out.table(*decl_);
  return *rows_;
}

std::vector<uint32_t> SliceTable::order_rows(int64_t base_ns, const std::vector<int64_t>& call_order) {
  add_base(*start_ns_, base_ns);
  std::vector<uint32_t> order = start_order(slices(), call_order);
  reorder_filled(*rows_, order);
  if (!order.empty() && !track_.empty()) reorder(track_, order);
  if (!order.empty() && !external_id_.empty()) reorder(external_id_, order);
  return order;
}

void SliceTable::fill_tracks(const std::vector<TrackKey>& tracks, std::vector<int64_t>& pid,
                             std::vector<int64_t>& tid) const {
  reserve_in_huge_pages(pid, track_.size());
  reserve_in_huge_pages(tid, track_.size());
  for (const uint32_t track : track_) {
    pid.push_back(tracks[track].pid);
    tid.push_back(tracks[track].tid);
  }
}

Nesting SliceTable::nest_slices(const Arrangement& arrangement, const NestingHints& hints) {
  Nesting nesting = nest(slices(), arrangement.tracks.size(), hints);
  give_back(track_);
  give_back(external_id_);
  overlapping_ = nesting.overlapping;
  first_overlapping_at_ = nesting.first_overlapping_at;
  return nesting;
}

void HostTable::add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos) {
  if (empty()) {
    start_ns_ = &rows(out).values(host_op::start_ns);
    dur_ns_ = &rows_->values(host_op::dur_ns);
    src_pos_ = &rows_->values(host_op::src_pos);
  }
  append_row(*start_ns_, slice.start_ns);
  append_row(*dur_ns_, slice.dur_ns);
  append_row(*src_pos_, src_pos);
  append_row(track_, slice.track);
  append_row(rows_->values(host_op::name), slice.name);
  append_row(rows_->values(host_op::category), slice.category);
  append_row(rows_->values(host_op::link_id), slice.link_id);
  append_row(rows_->values(host_op::shapes), slice.shapes);
  append_row(rows_->values(host_op::stack), slice.stack);
}

void HostTable::name_layers(store::Dictionary& dictionary) {
  if (empty()) return;
  std::vector<int32_t>& category = rows_->values(host_op::category);
  category = rows_->values(host_op::name);
  map_codes(category, dictionary, [&dictionary](std::string_view name) {
    const size_t at = name.find('@');
    return at == name.npos ? kNoText : dictionary.intern(name.substr(0, at));
  });
}

void HostTable::put_in_order(int64_t base_ns) {
  if (empty()) return;
  // A host operator's own External id is given out when it begins.
  const std::vector<uint32_t> order = order_rows(base_ns, external_id_);
  if (!order.empty() && !record_id_.empty()) reorder(record_id_, order);
}

void HostTable::arrange(const Arrangement& arrangement) {
  if (empty()) return;
  fill_tracks(arrangement.tracks, rows_->values(host_op::pid), rows_->values(host_op::tid));
  count_duplicates({&rows_->values(host_op::link_id), &external_id_}, rows_->values(host_op::name));
  const NestingHints hints{.name = rows_->values(host_op::name), .call_order = external_id_};
  const Nesting nesting = nest_slices(arrangement, hints);
  std::vector<int64_t>& parent = rows_->values(host_op::parent_id);
  reserve_in_huge_pages(parent, nesting.parent.size());
  for (const uint32_t row : nesting.parent) parent.push_back(row == Nesting::kNone ? kNoNumber : int64_t{row});
  reserve_in_huge_pages(rows_->values(host_op::depth), nesting.depth.size());
  rows_->values(host_op::depth).assign(nesting.depth.begin(), nesting.depth.end());
  rows_->column(host_op::overflow).u8 = nesting.overflow;
  std::vector<int64_t>& external_id = rows_->values(host_op::external_id);
  external_id = std::move(record_id_);
  if (external_id.empty()) external_id.assign(nesting.depth.size(), kNoNumber);
  fill_steps(arrangement.steps, *start_ns_, rows_->column(host_op::step));
  for (store::ColumnBuffer* const column :
       {&rows_->column(host_op::parent_id), &rows_->column(host_op::step), &rows_->column(host_op::link_id),
        &rows_->column(host_op::shapes), &rows_->column(host_op::stack), &rows_->column(host_op::external_id)}) {
    mark_missing(*column);
  }
}

void HostTable::finish() {
  if (empty()) return;
  mark_missing(rows_->column(host_op::category));
  rows_->end_rows();
}

const std::vector<int64_t>& HostTable::link_ids() const {
  static const std::vector<int64_t> kNone;
  return empty() ? kNone : rows_->values(host_op::link_id);
}

QueueTable::QueueTable() : SliceTable(queue::kTable) {}

void QueueTable::add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos) {
  if (empty()) {
    start_ns_ = &rows(out).values(queue::start_ns);
    dur_ns_ = &rows_->values(queue::dur_ns);
    src_pos_ = &rows_->values(queue::src_pos);
  }
  append_row(*start_ns_, slice.start_ns);
  append_row(*dur_ns_, slice.dur_ns);
  append_row(*src_pos_, src_pos);
  append_row(track_, slice.track);
  append_row(rows_->values(queue::name), slice.name);
  append_row(rows_->values(queue::link_id), slice.link_id);
  append_row(is_dequeue_, slice.kind == SliceKind::dequeue);
}

void QueueTable::put_in_order(int64_t base_ns) {
  if (empty()) return;
  const std::vector<uint32_t> order = order_rows(base_ns);
  if (!order.empty()) reorder(is_dequeue_, order);
}

void QueueTable::arrange(const Arrangement& arrangement) {
  if (empty()) return;
  fill_tracks(arrangement.tracks, rows_->values(queue::pid), rows_->values(queue::tid));
  give_back(track_);
  mark_missing(rows_->column(queue::link_id));
}

void QueueTable::finish(store::Dictionary& dictionary) {
  if (empty()) return;
  // Enqueue@operator; old exporters do not say which.
  map_codes(rows_->values(queue::name), dictionary, [&dictionary](std::string_view name) {
    const size_t at = name.find('@');
    return dictionary.intern(at == name.npos ? name : name.substr(at + 1));
  });
  const int32_t kinds[] = {dictionary.intern("enqueue"), dictionary.intern("dequeue")};
  for (const uint8_t is_dequeue : is_dequeue_) append_row(rows_->values(queue::kind), kinds[is_dequeue]);
  give_back(is_dequeue_);
  rows_->end_rows();
}

DeviceTable::DeviceTable() : SliceTable(device_task::kTable) {}

void DeviceTable::add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos, DeviceLane lane) {
  if (empty()) {
    start_ns_ = &rows(out).values(device_task::start_ns);
    dur_ns_ = &rows_->values(device_task::dur_ns);
    src_pos_ = &rows_->values(device_task::src_pos);
  }
  append_row(*start_ns_, slice.start_ns);
  append_row(*dur_ns_, slice.dur_ns);
  append_row(*src_pos_, src_pos);
  append_row(track_, slice.track);
  append_row(rows_->values(device_task::name), slice.name);
  append_row(rows_->values(device_task::task_type), slice.task_type);
  append_row(rows_->values(device_task::stream), slice.stream);
  append_row(rows_->values(device_task::task_id), slice.task_id);
  append_row(rows_->values(device_task::model_id), slice.model_id);
  append_row(rows_->values(device_task::connection_id), slice.link_id);
  append_row(lane_, lane);
}

void DeviceTable::put_in_order(int64_t base_ns) {
  if (empty()) return;
  const std::vector<uint32_t> order = order_rows(base_ns);
  if (!order.empty()) reorder(lane_, order);
}

void DeviceTable::arrange(const Arrangement& arrangement) {
  if (empty()) return;
  fill_tracks(arrangement.tracks, rows_->values(device_task::pid), rows_->values(device_task::tid));
  count_duplicates({&rows_->values(device_task::stream), &rows_->values(device_task::task_id),
                    &rows_->values(device_task::connection_id)},
                   rows_->values(device_task::name));
  const Nesting nesting = nest_slices(arrangement);
  reserve_in_huge_pages(rows_->values(device_task::depth), nesting.depth.size());
  rows_->values(device_task::depth).assign(nesting.depth.begin(), nesting.depth.end());
  rows_->column(device_task::overflow).u8 = nesting.overflow;
  for (store::ColumnBuffer& column : rows_->columns()) {
    if (column.decl->nullable) mark_missing(column);
  }
}

void DeviceTable::finish(store::Dictionary& dictionary) {
  if (empty()) return;
  static constexpr const char* kNames[] = {"hardware", "communication", "cuda_sync", "gpu_user_annotation",
                                           "overhead", "span"};
  int32_t codes[std::size(kNames)];
  std::fill(std::begin(codes), std::end(codes), kNoText);
  for (const DeviceLane lane : lane_) {
    const auto kind = static_cast<size_t>(lane);
    if (codes[kind] == kNoText) codes[kind] = dictionary.intern(kNames[kind]);
    append_row(rows_->values(device_task::lane), codes[kind]);
  }
  give_back(lane_);
  rows_->end_rows();
}

const std::vector<int64_t>& DeviceTable::connection_ids() const {
  static const std::vector<int64_t> kNone;
  return empty() ? kNone : rows_->values(device_task::connection_id);
}

OverlapTable::OverlapTable() : SliceTable(overlap_span::kTable) {}

void OverlapTable::add(store::SegmentBuilder& out, const SliceRecord& slice, int64_t src_pos) {
  if (empty()) {
    start_ns_ = &rows(out).values(overlap_span::start_ns);
    dur_ns_ = &rows_->values(overlap_span::dur_ns);
    src_pos_ = &rows_->values(overlap_span::src_pos);
  }
  append_row(*start_ns_, slice.start_ns);
  append_row(*dur_ns_, slice.dur_ns);
  append_row(*src_pos_, src_pos);
  append_row(rows_->values(overlap_span::kind), slice.name);
}

void OverlapTable::put_in_order(int64_t base_ns) {
  if (empty()) return;
  order_rows(base_ns);
  rows_->end_rows();
}

void CounterTable::add(store::SegmentBuilder& out, const SampleRecord& sample, int64_t pid, int64_t src_pos) {
  if (rows_ == nullptr) rows_ = &out.table(counter::kTable);
  append_row(rows_->values(counter::name), sample.name);
  append_row(rows_->values(counter::series), sample.series);
  append_row(rows_->values(counter::pid), pid);
  append_row(rows_->values(counter::ts_ns), sample.ts_ns);
  append_row(rows_->column(counter::value).f64, sample.value);
  append_row(rows_->values(counter::src_pos), src_pos);
}

int64_t CounterTable::latest_ns() const {
  if (rows_ == nullptr) return 0;
  const std::vector<int64_t>& times = rows_->values(counter::ts_ns);
  return *std::max_element(times.begin(), times.end());
}

void CounterTable::put_in_order(int64_t base_ns) {
  if (rows_ == nullptr) return;
  add_base(rows_->values(counter::ts_ns), base_ns);
  reorder_filled(*rows_, time_order(rows_->values(counter::ts_ns)));
  rows_->end_rows();
}

}  // namespace stepwise::ingest
