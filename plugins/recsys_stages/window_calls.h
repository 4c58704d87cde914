// The host's calls of one step, thread by thread, as a tree of rows.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "breakdown.h"

namespace stepwise::recsys_stages {

using Rows = std::vector<uint64_t>;  // in host_op

/// Lives no longer than the sources. The step's own range is none of its calls.
class WindowCalls {
 public:
  WindowCalls(const sdk::Call& call, const Sources& sources, uint32_t window);

  const std::map<Thread, Rows>& outermost() const { return outermost_; }
  /// Of a row of this window.
  const Rows& inside(uint64_t row) const { return children_[row - first_]; }
  bool holds(uint64_t row) const { return row >= first_ && row - first_ < children_.size(); }

  std::string_view name(uint64_t row) const { return name_[row]; }
  int32_t name_code(uint64_t row) const { return name_.code(row); }
  std::string_view name_of_code(int32_t code) const { return name_.text_of(code); }
  int64_t start_ns(uint64_t row) const { return start_[row]; }
  int64_t dur_ns(uint64_t row) const { return dur_[row]; }
  int64_t tid(uint64_t row) const { return tid_[row]; }

 private:
  uint64_t first_row_from(int64_t ns, uint64_t rows) const;
  void place(uint64_t row);

  sdk::Column<table::Type::code> name_;
  sdk::Column<table::Type::i64> start_, dur_, parent_, pid_, tid_;
  uint64_t first_ = 0;          // row of the window's first call
  std::vector<Rows> children_;  // by row - first_
  std::map<Thread, Rows> outermost_;
};

}  // namespace stepwise::recsys_stages
