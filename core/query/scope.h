// What one query has at hand while it runs: parts of tables (one for each rank), lookups made on the way, the budget,
// and the failure that ends it. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/query/budget.h"
#include "core/query/lookup.h"
#include "core/query/source.h"
#include "core/query/view.h"

namespace stepwise::query {

/// One rank's rows of a table.
struct Part {
  uint32_t rank = 0;
  bool is_known = false, links_are_known = false;
  const sw_table* rows = nullptr;   // nullptr: the rank has no such table
  const sw_table* links = nullptr;  // kernels: kernel_link
  struct Lookup {
    uint32_t asked = 0;
    std::unique_ptr<ColumnOrder> order;
  };
  std::vector<Lookup> lookups;  // by declared column

  uint64_t count() const { return rows == nullptr ? 0 : rows->rows; }
};

class Scope {
 public:
  Scope(TableSource& source, Budget& budget) : source_(source), budget_(budget) {}

  Budget& budget() { return budget_; }
  const TableSource& source() const { return source_; }
  std::span<const uint32_t> ranks() const { return source_.ranks(); }
  void no_rank(int64_t rank) { source_.no_rank(rank); }
  /// Rows of the table as far as known without reading; for plans.
  double expected_rows(const View& view) const;
  /// The parts of ranks at positions [from, to), with kernels' links if wanted. False: the query must stop.
  bool resolve(const View& view, size_t table, size_t from, size_t to, bool links);
  Part& part(size_t table, size_t position) { return parts_[table][position]; }

  /// Rows of the part whose declared column has the value, in order; nullopt: not looked up, look at every row.
  std::optional<std::span<const uint32_t>> equal_rows(Part& part, size_t column, int64_t value);
  Codes& codes() { return codes_; }

  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  bool resolve_rows(const View& view, Part& part);
  bool take_links(Part& part);

  TableSource& source_;
  Budget& budget_;
  std::vector<std::vector<Part>> parts_;  // by number of the table, then by position of the rank
  Codes codes_;
  size_t lookup_bytes_ = 0;
  std::optional<Error> error_;
};

}  // namespace stepwise::query
