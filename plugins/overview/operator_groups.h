// Executions of operators summed by type, name or shape; in integer ns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel_steps.h"
#include "stepwise/sdk.hpp"

namespace stepwise::overview {

enum class GroupBy : uint8_t { type, name, shape };

/// A mean of ratios, weighted by duration; only over the rows that have the counter.
struct WeightedRatio {
  double weighted = 0;
  int64_t over_ns = 0;
  void add(double share, int64_t dur_ns) {
    weighted += share * static_cast<double>(dur_ns);
    over_ns += dur_ns;
  }
  std::optional<double> value() const {
    if (over_ns <= 0) return std::nullopt;
    return weighted / static_cast<double>(over_ns);
  }
};

struct OperatorGroup {
  std::optional<std::string_view> op_type, name, core_type, input_shapes, dtypes;  // what it is not grouped by is null
  uint64_t count = 0;
  int64_t total_ns = 0, max_ns = 0;
  int64_t slowest_row = 0;  // in the file
  WeightedRatio mte, aic, aiv;
};

/// Which rows take part.
struct OperatorFilter {
  bool only_kernels = false;  // GPUs: copies and memsets stand apart
  std::optional<int64_t> step;
  std::optional<std::string> core;  // in any case; HCCL or COMMUNICATION: the communication rows
};

struct OperatorTotals {
  std::vector<OperatorGroup> groups;  // by total, largest first; ties by type, name, core, shapes
  uint64_t count = 0, left_out_communication = 0, left_out_copies = 0, left_out_memsets = 0;
  int64_t total_ns = 0, left_out_communication_ns = 0, left_out_copies_ns = 0, left_out_memsets_ns = 0;
  std::vector<std::string> cores;  // that the file has
  std::vector<int64_t> steps;      // that its rows are of, ascending
};

/// Texts are borrowed from the table.
OperatorTotals group_operators(const sdk::Call& call, const sdk::TableView& kernel_table, const KernelSteps& steps,
                               GroupBy by, const OperatorFilter& filter);
/// The same from op_statistic, which knows types only and no steps.
OperatorTotals operators_of_statistic(const sdk::Call& call, const sdk::TableView& op_stat_table,
                                      const OperatorFilter& filter);

}  // namespace stepwise::overview
