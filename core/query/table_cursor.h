// One pass over a table: the ranks that the bounds name, of each the rows between the bounds or those that a lookup
// gives, forwards or backwards. One thread.
#pragma once

#include <cstdint>
#include <span>

#include "core/query/pushdown.h"

struct sqlite3_context;

namespace stepwise::query {

class TableCursor {
 public:
  TableCursor(const View& view, size_t table, Scope& scope) : view_(view), table_(table), scope_(scope) {}

  /// False, of this and of next: the query must stop; the scope knows why.
  bool start(const PassPlan& plan, const Bounds& bounds);
  bool next();
  bool at_end() const { return part_ == nullptr; }

  /// Gives the value of the view's column to SQLite; texts without copying.
  void column(size_t at, sqlite3_context* out) const;
  /// One number for each row of all ranks.
  int64_t row_id() const { return static_cast<int64_t>(position_) << 40 | static_cast<int64_t>(row_); }

 private:
  struct Scan {
    const sw_column* column = nullptr;  // nullptr: every row
    int64_t value = 0;
    bool fits(uint64_t row) const;
  };
  bool enter_parts();
  bool enter(Part& part);
  void cut_to_bounds(const Part& part);
  bool choose_rows(Part& part);
  bool settle();
  void step() { at_ += descending_ ? -1 : 1; }
  bool in_part() const { return at_ >= from_ && at_ < to_; }
  void give(const sw_column& column, sqlite3_context* out) const;

  const View& view_;
  const size_t table_;
  Scope& scope_;
  bool descending_ = false, links_ = false;
  Bounds bounds_;
  size_t first_ = 0, last_ = 0;  // positions of ranks
  size_t left_ = 0;              // parts not entered yet
  size_t position_ = 0;
  const Part* part_ = nullptr;          // nullptr: at the end
  int64_t from_ = 0, to_ = 0, at_ = 0;  // rows, or places in listed_
  bool is_listed_ = false;
  std::span<const uint32_t> listed_;
  Scan scan_;
  uint64_t row_ = 0;
};

}  // namespace stepwise::query
