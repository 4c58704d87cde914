#include "core/ingest/timeline/kineto_tables.h"

#include <string_view>
#include <utility>

#include "core/ingest/base/huge_pages.h"
#include "core/ingest/base/set_value.h"
#include "core/ingest/exports/kernel_class.h"
#include "stepwise/tables.hpp"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;
namespace step = table::step;

std::string_view class_of(KinetoKind kind, std::string_view name) {
  if (kind == KinetoKind::copy) return "copy";
  if (kind == KinetoKind::memset) return "memset";
  return is_communication_name(name) ? "communication" : "compute";
}

}  // namespace

KernelTable::KernelTable() : SliceTable(kernel::kTable) {}

void KernelTable::add(store::SegmentBuilder& out, const KinetoSlice& slice, int64_t src_pos) {
  if (empty()) {
    start_ns_ = &rows(out).values(kernel::start_ns);
    dur_ns_ = &rows_->values(kernel::dur_ns);
    src_pos_ = &rows_->values(kernel::src_pos);
  }
  append_row(*start_ns_, slice.start_ns);
  append_row(*dur_ns_, slice.dur_ns);
  append_row(*src_pos_, src_pos);
  append_row(track_, slice.track);
  append_row(kind_, slice.what);
  add_external_id(slice.external_id);
  append_row(rows_->values(kernel::name), slice.name);
  append_row(rows_->values(kernel::stream), slice.stream);
  append_row(rows_->values(kernel::device), slice.device);
  append_row(rows_->values(kernel::correlation_id), slice.link_id);
  append_row(rows_->values(kernel::bytes), slice.bytes);
}

void KernelTable::put_in_order(int64_t base_ns) {
  if (empty()) return;
  const std::vector<uint32_t> order = order_rows(base_ns);
  if (!order.empty()) reorder(kind_, order);
  count_duplicates({&rows_->values(kernel::correlation_id), &rows_->values(kernel::stream), &external_id_},
                   rows_->values(kernel::name));
}

const std::vector<int64_t>& KernelTable::correlation_ids() const {
  static const std::vector<int64_t> kNone;
  return empty() ? kNone : rows_->values(kernel::correlation_id);
}

void KernelTable::finish(store::Dictionary& dictionary, std::vector<int64_t> steps, std::vector<int32_t> groups) {
  if (empty()) return;
  rows_->values(kernel::step) = std::move(steps);

  // Names come again and again: each is looked at once.
  const std::vector<int32_t>& names = rows_->values(kernel::name);
  std::vector<int32_t> class_of_name(dictionary.size(), kNoText);
  for (size_t row = 0; row < names.size(); ++row) {
    const std::string_view name = dictionary.at(names[row]);
    int32_t of_kernel = class_of_name[static_cast<size_t>(names[row])];
    if (kind_[row] != KinetoKind::kernel || of_kernel == kNoText) {
      of_kernel = dictionary.intern(class_of(kind_[row], name));
      if (kind_[row] == KinetoKind::kernel) class_of_name[static_cast<size_t>(names[row])] = of_kernel;
    }
    append_row(rows_->values(kernel::class_), of_kernel);
  }
  if (!groups.empty()) {
    const std::vector<int32_t>& classes = rows_->values(kernel::class_);
    const int32_t communication = dictionary.intern("communication");
    for (size_t row = 0; row < groups.size(); ++row) {
      if (classes[row] != communication) groups[row] = kNoText;
    }
    rows_->values(kernel::group_id) = std::move(groups);
  }
  give_back(track_);
  give_back(external_id_);
  give_back(kind_);
  for (store::ColumnBuffer& column : rows_->columns()) {
    if (column.rows() == 0) {
      fill_with_nulls(column, names.size());
    } else if (column.decl->nullable) {
      mark_missing(column);
    }
  }
  rows_->end_rows();
}

void fill_timed_steps(const StepRanges& steps, store::SegmentBuilder& out) {
  if (steps.ranges().empty()) return;
  store::TableBuilder& rows = out.table(step::kTable);
  for (const StepRanges::Range& range : steps.ranges()) {
    rows.values(step::step).push_back(range.step);
    rows.values(step::start_ns).push_back(range.start_ns);
    rows.values(step::end_ns).push_back(range.start_ns + range.dur_ns);
    rows.values(step::src_pos).push_back(range.src_pos);
  }
  for (store::ColumnBuffer& column : rows.columns()) {
    if (column.rows() == 0) fill_with_nulls(column, steps.ranges().size());
  }
  rows.end_rows();
}

}  // namespace stepwise::ingest
