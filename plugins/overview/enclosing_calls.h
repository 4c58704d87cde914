// Which call of a thread holds an instant: a table of nested slices, searched by thread and time.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

class EnclosingCalls {
 public:
  /// `view`: host_op, runtime_api or python_call, which have the same columns; sorted by start.
  EnclosingCalls(const sdk::Call& call, const sdk::TableView& view);

  /// The row of the innermost slice on the thread that holds all of [start_ns, end_ns].
  std::optional<uint64_t> innermost(int64_t tid, int64_t start_ns, int64_t end_ns) const;
  /// The slice around a row; nullopt: it is the outermost.
  std::optional<uint64_t> outer(uint64_t row) const;

 private:
  uint64_t rows_;
  sdk::Column<table::Type::i64> start_ns_, dur_ns_, parent_id_;
  std::unordered_map<int64_t, std::vector<uint64_t>> rows_of_thread_;  // in order of start
};

}  // namespace stepwise::overview
