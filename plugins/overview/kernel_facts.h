// What one pass over the kernel table tells: operator time by step, dynamic shapes, iteration counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

struct KernelFacts {
  std::string file;
  // Operators are the rows that do not communicate; on GPUs the computation kernels.
  uint64_t operator_rows = 0, communication_rows = 0;
  int64_t operator_ns = 0;                         // of all rows, in and outside steps
  std::map<int64_t, int64_t> operator_ns_of_step;  // only rows with a step

  // OP State. The first dynamic row is what evidence points to.
  uint64_t dynamic_rows = 0, static_rows = 0;
  int64_t first_dynamic_row = 0;

  // How often a kernel name occurs that a graph gives to one node only: the commonest count among names that are
  // neither aclnn operators nor communication. 0: there is none.
  uint64_t commonest_name_count = 0;

  /// null: the file has no OP State.
  std::optional<bool> dynamic_shape() const;
};
/// On GPUs copies and memsets are no operators, and kernel names say nothing about iterations: all repeat in one.
KernelFacts kernel_facts(const sdk::Call& call, const sdk::TableView& kernel_table, bool is_gpu = false);

/// Whether the same operator position has different input shapes across steps. The position is the k-th execution of
/// a kernel name on its stream within the step. null: fewer than two steps, or no shapes in the file.
struct ShapesVary {
  std::optional<bool> vary;
  std::string name;  // the first operator found to vary
  int64_t row = 0;
  std::set<int32_t> names;  // codes of all kernel names that vary, of this table
};
ShapesVary shapes_vary(const sdk::Call& call, const sdk::TableView& kernel_table);

}  // namespace stepwise::overview
