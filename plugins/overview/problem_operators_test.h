// Kernels and problems, for the tests of problem_operators.
#pragma once

#include <string_view>
#include <utility>

#include "overview.h"
#include "stepwise/testing.hpp"

namespace stepwise {

// A table of kernels whose rows follow each other without a gap, unless a start is given.
struct Kernels {
  sdk::testing::Table table{table::kernel::kTable, "kernel_details.csv"};
  int64_t now_ns = 1'000, rows = 0;

  sdk::testing::Table::Row add(const char* name, const char* op_type, const char* core, int64_t dur_ns,
                               int64_t gap_ns = 0) {
    sdk::testing::Table::Row row = table.row();
    const bool communicates = std::string_view(core) == "HCCL";
    row.set(table::kernel::name, name).set(table::kernel::op_type, op_type).set(table::kernel::core_type, core);
    row.set(table::kernel::class_, communicates ? "communication" : "compute");
    row.set(table::kernel::start_ns, now_ns + gap_ns)
        .set(table::kernel::dur_ns, dur_ns)
        .set(table::kernel::src_pos, ++rows);
    now_ns += gap_ns + dur_ns;
    return row;
  }
};

inline sdk::Value problem(const sdk::Value& result, std::string_view name) {
  for (size_t i = 0; i < result["problems"].size(); ++i) {
    if (result["problems"].at(i)["problem"].text() == name) return result["problems"].at(i);
  }
  return result["problems"].at(result["problems"].size());
}

inline sdk::Value run(Kernels kernels, const char* args = "{}") {
  sdk::testing::Host host;
  host.add(0, std::move(kernels.table));
  return host.run(overview::problem_operators, args);
}

}  // namespace stepwise
