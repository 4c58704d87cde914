// Tables of several ranks for tests of queries, made in memory.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/query/query.h"
#include "core/store/test_tables.h"
#include "stepwise/tables.hpp"

namespace stepwise::query::test {

class TestSource : public TableSource {
 public:
  /// Fills the rank's tables; ranks in ascending order.
  void add(uint32_t rank, const std::function<void(store::SegmentBuilder&)>& fill) {
    store::SegmentBuilder builder;
    fill(builder);
    const auto path = dir_.path() / (std::to_string(rank) + ".seg");
    if (!builder.write(path, {1, rank}).ok()) std::abort();
    ranks_.push_back(rank);
    segments_.push_back(store::Segment::open(path, {1, rank}).value());
  }

  std::span<const uint32_t> ranks() const override { return ranks_; }
  Result<void> need(std::span<const uint32_t> ranks, std::string_view table) override {
    for (const uint32_t rank : ranks) needed.push_back(std::string(table) + "@" + std::to_string(rank));
    if (refuse == table) return Error{ErrorKind::io, "test.refused", "Not now.", "", ""};
    return {};
  }
  Result<const sw_table*> table(uint32_t rank, std::string_view name) override {
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (ranks_[i] == rank) return segments_[i]->table(name);
    }
    return static_cast<const sw_table*>(nullptr);
  }
  std::optional<uint64_t> rows_at_hand(std::string_view) const override { return std::nullopt; }

  void no_rank(int64_t rank) override { unknown.push_back(rank); }
  std::string instead_of(std::string_view name) const override { return name == "a_tool" ? "Call it. " : ""; }

  std::vector<std::string> needed;  // "kernel@0"
  std::vector<int64_t> unknown;     // ranks that were asked for
  std::string refuse;               // the table that cannot be had

 private:
  store::test::TemporaryDirectory dir_;
  std::vector<uint32_t> ranks_;
  std::vector<std::shared_ptr<const store::Segment>> segments_;
};

/// 1, 2.5, 'text', null
inline std::string to_text(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::integer:
      return std::to_string(cell.integer);
    case Cell::Kind::real: {
      char text[40];
      std::snprintf(text, sizeof text, "%.15g", cell.real);
      return text;
    }
    case Cell::Kind::text:
      return "'" + std::string(cell.text) + "'";
    default:
      return "null";
  }
}

class Collected : public RowSink {
 public:
  Result<void> columns(std::vector<std::string> given) override {
    names = std::move(given);
    return {};
  }
  Result<bool> row(std::span<const Cell> cells) override {
    std::string line;
    for (const Cell& cell : cells) line += (line.empty() ? "" : "|") + to_text(cell);
    rows.push_back(std::move(line));
    return rows.size() < most;
  }
  std::vector<std::string> names, rows;
  size_t most = SIZE_MAX;
};

struct Ran {
  std::optional<Error> error;
  std::vector<std::string> names, rows;
  QueryStats stats;
};

inline Ran run(Queries& queries, TableSource& source, const std::string& sql, const QueryLimits& limits = {}) {
  const CancelFlag cancel;
  Collected sink;
  auto stats = queries.run(sql, source, cancel, sink, limits);
  Ran ran;
  if (!stats.ok()) ran.error = stats.take_error();
  if (!ran.error) ran.stats = stats.value();
  ran.names = std::move(sink.names);
  ran.rows = std::move(sink.rows);
  return ran;
}

using Value = std::variant<int64_t, double, std::string>;
using Row = std::map<std::string, Value>;

/// Appends the row; columns that it leaves out are null, or zero and empty where they cannot be.
inline void add(store::TableBuilder& table, const Row& row) {
  for (store::ColumnBuffer& column : table.columns()) {
    const auto it = row.find(column.decl->name);
    const bool null = it == row.end() && column.decl->nullable;
    if (null && column.valid.empty()) column.valid.assign(column.rows(), true);
    if (null || !column.valid.empty()) column.valid.push_back(!null);
    column.null_count += null ? 1 : 0;
    const Value value = it == row.end() ? Value() : it->second;
    const auto* integer = std::get_if<int64_t>(&value);
    const auto* text = std::get_if<std::string>(&value);
    switch (column.decl->type) {
      case table::Type::i64:
        column.i64.push_back(integer == nullptr ? 0 : *integer);
        break;
      case table::Type::u8:
        column.u8.push_back(integer == nullptr ? 0 : static_cast<uint8_t>(*integer));
        break;
      case table::Type::f64:
        column.f64.push_back(std::holds_alternative<double>(value) ? std::get<double>(value) : 0);
        break;
      case table::Type::code:
        column.code.push_back(null ? 0 : table.dictionary().intern(text == nullptr ? "" : *text));
        break;
    }
  }
  table.end_rows();
}

/// A compute kernel on stream 0 of which the rest is null.
inline Row kernel_row(const std::string& name, int64_t start_ns, int64_t dur_ns, Row more = {}) {
  more.merge(
      Row{{"name", name}, {"class", "compute"}, {"start_ns", start_ns}, {"dur_ns", dur_ns}, {"stream", int64_t{0}}});
  return more;
}

}  // namespace stepwise::query::test
