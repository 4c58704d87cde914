// Calls of the host that compile operators or graphs while the run is measured.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// A call that finds what it needs compiled already is over in far less (operators of a warm static network: 0.05 ms,
/// and under 2 ms with their execution); one that compiles takes tenths of a second.
inline constexpr int64_t kCompilesFromNs = 10'000'000;

struct CompileCalls {
  uint64_t count = 0;  // outermost calls that long
  std::set<int64_t> steps;
  std::string name, file;  // of the first one in the second step: there it is a repetition
  int64_t row = 0;

  /// In more than one step. A first step that compiles is a beginning; a later one that does has met something new.
  bool repeated() const { return steps.size() > 1; }
};

/// Of the driver (runtime_api) and of the framework (host_op), as far as these tables are there. Calls outside steps
/// are no part of it.
CompileCalls compile_calls(sdk::Call& call, uint32_t rank);

}  // namespace stepwise::overview
