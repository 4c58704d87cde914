#include "enclosing_calls.h"

#include <algorithm>
#include <type_traits>

namespace stepwise::overview {
namespace {

namespace host_op = table::host_op;
namespace python_call = table::python_call;

// Columns are found by their place, which these tables share.
static_assert(std::is_same_v<decltype(host_op::start_ns), decltype(python_call::start_ns)>);
static_assert(std::is_same_v<decltype(host_op::dur_ns), decltype(python_call::dur_ns)>);
static_assert(std::is_same_v<decltype(host_op::tid), decltype(python_call::tid)>);
static_assert(std::is_same_v<decltype(host_op::parent_id), decltype(python_call::parent_id)>);

}  // namespace

EnclosingCalls::EnclosingCalls(const sdk::Call& call, const sdk::TableView& view)
    : rows_(view.rows()),
      start_ns_(view[host_op::start_ns]),
      dur_ns_(view[host_op::dur_ns]),
      parent_id_(view[host_op::parent_id]) {
  const auto tid = view[host_op::tid];
  call.for_each_row(rows_, [&](uint64_t row) { rows_of_thread_[tid[row]].push_back(row); });
}

std::optional<uint64_t> EnclosingCalls::innermost(int64_t tid, int64_t start_ns, int64_t end_ns) const {
  const auto thread = rows_of_thread_.find(tid);
  if (thread == rows_of_thread_.end()) return std::nullopt;
  const std::vector<uint64_t>& rows = thread->second;
  const auto after =
      std::partition_point(rows.begin(), rows.end(), [&](uint64_t row) { return start_ns_[row] <= start_ns; });
  if (after == rows.begin()) return std::nullopt;
  std::optional<uint64_t> row = *(after - 1);
  while (row && start_ns_[*row] + dur_ns_[*row] < end_ns) row = outer(*row);
  return row;
}

std::optional<uint64_t> EnclosingCalls::outer(uint64_t row) const {
  const auto parent = parent_id_.get(row);
  // A parent begins before its children, so stands before them.
  if (!parent || *parent < 0 || static_cast<uint64_t>(*parent) >= row) return std::nullopt;
  return static_cast<uint64_t>(*parent);
}

}  // namespace stepwise::overview
