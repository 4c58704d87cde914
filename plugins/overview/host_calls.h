// What api_statistic tells about graph executions and the copies around them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

struct CallStat {
  int64_t total_ns = 0, count = 0;
  std::optional<int64_t> max_ns;
  int64_t row = 0;
  std::string file{};
};

struct HostCalls {
  std::optional<CallStat> model_execute, input_copy, output_copy;
  std::optional<CallStat> synchronize;  // by exact names: aclrtSynchronizeStream, aclrtSynchronizeDevice
  bool infers_shapes = false, calls_aclnn = false;

  /// The longest ModelExecute where it exceeds 5 times the mean of the others: a compilation. null: not, or cannot
  /// tell.
  std::optional<int64_t> first_compile_ns() const;
  /// The mean ModelExecute without a compilation. null: there is no ModelExecute.
  std::optional<double> model_execute_ns() const;
};
/// Whether the call infers shapes or runs an operator by its aclnn name.
void note_shapes(std::string_view called, HostCalls& calls);

HostCalls host_calls(const sdk::Call& call, const sdk::TableView& api_stat_table);

}  // namespace stepwise::overview
