#include "core/query/table_cursor.h"

#include <sqlite3.h>

#include <algorithm>

#include "core/store/table_view.h"
#include "stepwise/tables_device.hpp"

namespace stepwise::query {
namespace {

namespace kernel_link = table::kernel_link;

const int64_t* integers(const sw_table& table, size_t column) {
  return static_cast<const int64_t*>(store::column_at(table, column).data);
}

/// kernel_link stands in kernel order, at most one row for each.
std::optional<int64_t> launching_op(const sw_table& links, uint64_t kernel) {
  const int64_t* ids = integers(links, decltype(kernel_link::kernel_id)::index);
  const int64_t* found = std::lower_bound(ids, ids + links.rows, static_cast<int64_t>(kernel));
  if (found == ids + links.rows || *found != static_cast<int64_t>(kernel)) return std::nullopt;
  return store::get(links, kernel_link::host_op_id, static_cast<uint64_t>(found - ids));
}

}  // namespace

bool TableCursor::Scan::fits(uint64_t row) const {
  return column == nullptr || (integer_at(*column, row) == value && !store::is_null(*column, row));
}

bool TableCursor::start(const PassPlan& plan, const Bounds& bounds) {
  bounds_ = bounds;
  descending_ = plan.descending;
  links_ = plan.links;
  part_ = nullptr;
  const auto ranks = scope_.ranks();
  first_ = 0;
  last_ = bounds.is_empty ? 0 : ranks.size();
  if (bounds.rank && !bounds.is_empty) {
    const auto found = std::find_if(ranks.begin(), ranks.end(), [&](uint32_t rank) { return rank == *bounds.rank; });
    first_ = static_cast<size_t>(found - ranks.begin());
    last_ = std::min(first_ + 1, ranks.size());
    if (found == ranks.end()) scope_.no_rank(*bounds.rank);
  }
  left_ = last_ - first_;
  if (left_ == 0) return scope_.budget().step(1);  // an empty pass costs too, where there are very many
  if (!scope_.resolve(view_, table_, first_, last_, links_)) return false;
  return enter_parts();
}

bool TableCursor::next() {
  step();
  if (!settle()) return false;
  return in_part() || enter_parts();
}

bool TableCursor::enter_parts() {
  while (left_ > 0) {
    position_ = descending_ ? first_ + left_ - 1 : last_ - left_;
    --left_;
    Part& part = scope_.part(table_, position_);
    if (!scope_.budget().step(1)) return false;
    if (part.count() == 0) continue;
    part_ = &part;
    if (!enter(part)) return false;
    if (in_part()) return true;
  }
  part_ = nullptr;
  return true;
}

bool TableCursor::enter(Part& part) {
  cut_to_bounds(part);
  scan_ = {};
  is_listed_ = false;
  if (from_ < to_ && bounds_.equal && !choose_rows(part)) to_ = from_;
  at_ = descending_ ? to_ - 1 : from_;
  return settle();
}

void TableCursor::cut_to_bounds(const Part& part) {
  const auto rows = static_cast<int64_t>(part.rows->rows);
  from_ = std::clamp<int64_t>(bounds_.least_id, 0, rows);
  to_ = bounds_.most_id >= rows ? rows : std::max<int64_t>(bounds_.most_id + 1, 0);
  if (view_.sorted && from_ < to_) {
    const int64_t* values = integers(*part.rows, view_.columns[*view_.sorted].declared);
    from_ = std::max(from_, std::lower_bound(values, values + rows, bounds_.least_sorted) - values);
    to_ = std::min(to_, std::upper_bound(values, values + rows, bounds_.most_sorted) - values);
  }
  to_ = std::max(from_, to_);
}

/// False: no row of this part has the value.
bool TableCursor::choose_rows(Part& part) {
  const size_t declared = view_.columns[bounds_.equal->column].declared;
  const sw_column& column = store::column_at(*part.rows, declared);
  std::optional<int64_t> value = bounds_.equal->number;
  if (!value) {
    const auto code = scope_.codes().find(column, bounds_.equal->text);
    if (!code) return false;
    value = *code;
  }
  const auto rows = scope_.equal_rows(part, declared, *value);
  if (!rows) {
    scan_ = {&column, *value};
    return true;
  }
  const auto below = [](uint32_t row, int64_t bound) { return static_cast<int64_t>(row) < bound; };
  const auto first = std::lower_bound(rows->begin(), rows->end(), from_, below);
  const auto last = std::lower_bound(first, rows->end(), to_, below);
  listed_ = {first, last};
  is_listed_ = true;
  from_ = 0;
  to_ = static_cast<int64_t>(listed_.size());
  return true;
}

/// On from at_ to a row that fits, or to the part's end.
bool TableCursor::settle() {
  for (; in_part(); step()) {
    if (!scope_.budget().step(1)) return false;
    row_ = is_listed_ ? listed_[static_cast<size_t>(at_)] : static_cast<uint64_t>(at_);
    if (scan_.fits(row_)) break;
  }
  return true;
}

void TableCursor::column(size_t at, sqlite3_context* out) const {
  const ViewColumn& column = view_.columns[at];
  switch (column.role) {
    case Role::id:
      return sqlite3_result_int64(out, static_cast<sqlite3_int64>(row_));
    case Role::rank:
      return sqlite3_result_int64(out, part_->rank);
    case Role::src_file:
      if (part_->rows->source_file.len == 0) return;
      return sqlite3_result_text(out, part_->rows->source_file.ptr, static_cast<int>(part_->rows->source_file.len),
                                 SQLITE_STATIC);
    case Role::host_op_id:
      if (part_->links == nullptr) return;
      if (const auto id = launching_op(*part_->links, row_)) sqlite3_result_int64(out, *id);
      return;
    case Role::segment:
      if (view_.decl->columns.size() >= part_->rows->column_count) return;
      return give(store::column_at(*part_->rows, view_.decl->columns.size()), out);
    case Role::declared:
      return give(store::column_at(*part_->rows, column.declared), out);
  }
}

void TableCursor::give(const sw_column& column, sqlite3_context* out) const {
  if (store::is_null(column, row_)) return;
  if (column.type == SW_F64) return sqlite3_result_double(out, static_cast<const double*>(column.data)[row_]);
  if (column.type != SW_CODE) return sqlite3_result_int64(out, integer_at(column, row_));
  const std::string_view text = store::text_at(column, row_);
  // A null pointer would be a null, not an empty text.
  sqlite3_result_text(out, text.empty() ? "" : text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

}  // namespace stepwise::query
