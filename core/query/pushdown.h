// Which constraints of a WHERE clause a pass over a table uses, and how the pass is told: a text such as
// "rank= start_ns>= name=", one word for each argument, which EXPLAIN QUERY PLAN shows.
#pragma once

#include <string>
#include <vector>

#include "core/query/scope.h"

struct sqlite3_index_info;
struct sqlite3_value;

namespace stepwise::query {

enum class Comparison : uint8_t { equal, less, at_most, greater, at_least };

struct Term {
  size_t column = 0;  // of the view
  Comparison comparison = Comparison::equal;
};

struct PassPlan {
  std::vector<Term> terms;  // one for each argument
  bool descending = false;  // rows last to first
  bool links = false;       // kernels: with kernel_link
};

/// xBestIndex: chooses and says what it costs.
int choose_pass(const View& view, const Scope& scope, sqlite3_index_info* info);
/// The plan behind what choose_pass left in the index info.
PassPlan read_plan(const View& view, int number, const char* words);

/// Rows [from, to) and one value; what choose_pass's arguments say of a pass. Always a superset: SQLite compares again.
struct Bounds {
  bool is_empty = false;  // a comparison with null, or with what no row can have
  std::optional<int64_t> rank;
  int64_t least_id = 0, most_id = INT64_MAX;
  int64_t least_sorted = INT64_MIN, most_sorted = INT64_MAX;
  struct Equal {
    size_t column = 0;  // of the view
    std::optional<int64_t> number;
    std::string_view text{};
  };
  std::optional<Equal> equal{};
};
Bounds read_bounds(const View& view, const PassPlan& plan, sqlite3_value** arguments);

}  // namespace stepwise::query
