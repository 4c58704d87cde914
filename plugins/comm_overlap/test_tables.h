// Literal tables for the tests of this plugin.
#pragma once

#include <initializer_list>
#include <optional>

#include "collective_types.h"
#include "stepwise/testing.hpp"

namespace stepwise::comm_overlap::testing {

struct KernelRow {
  std::optional<int64_t> step;
  const char* name;
  const char* class_;
  int64_t start_ns, dur_ns;
  const char* group = nullptr;
};

inline sdk::testing::Table kernels(std::initializer_list<KernelRow> rows, const char* file = "kernel_details.csv") {
  namespace kernel = table::kernel;
  sdk::testing::Table table(kernel::kTable, file);
  int64_t pos = 0;
  for (const KernelRow& row : rows) {
    auto r = table.row();
    r.set(kernel::name, row.name).set(kernel::class_, row.class_).set(kernel::src_pos, ++pos);
    r.set(kernel::start_ns, row.start_ns).set(kernel::dur_ns, row.dur_ns);
    if (row.step) r.set(kernel::step, *row.step);
    if (row.group != nullptr) r.set(kernel::group_id, row.group);
  }
  return table;
}

struct SpanRow {
  const char* kind;
  int64_t start_ns, end_ns;
};

inline sdk::testing::Table spans(std::initializer_list<SpanRow> rows) {
  namespace overlap_span = table::overlap_span;
  sdk::testing::Table table(overlap_span::kTable, "trace_view.json");
  for (const SpanRow& row : rows) {
    table.row()
        .set(overlap_span::kind, row.kind)
        .set(overlap_span::start_ns, row.start_ns)
        .set(overlap_span::dur_ns, row.end_ns - row.start_ns);
  }
  return table;
}

struct HostStep {
  int64_t step, start_ns, dur_ns;
};

inline sdk::testing::Table host_steps(std::initializer_list<HostStep> rows) {
  namespace step_range = table::step_range;
  sdk::testing::Table table(step_range::kTable, "trace_view.json");
  for (const HostStep& row : rows) {
    table.row()
        .set(step_range::step, row.step)
        .set(step_range::start_ns, row.start_ns)
        .set(step_range::dur_ns, row.dur_ns);
  }
  return table;
}

struct OpRow {
  int64_t step;
  const char* name;
  const char* group;
  int64_t transit_ns, wait_ns, idle_ns;
  const char* kind = "collective";
};

inline sdk::testing::Table operations(std::initializer_list<OpRow> rows) {
  namespace comm_op = table::comm_op;
  sdk::testing::Table table(comm_op::kTable, "communication.json");
  int64_t pos = 0;
  for (const OpRow& row : rows) {
    table.row()
        .set(comm_op::step, row.step)
        .set(comm_op::name, row.name)
        .set(comm_op::type, collective_type(row.name).value_or("allReduce"))
        .set(comm_op::kind, row.kind)
        .set(comm_op::group_id, row.group)
        .set(comm_op::elapse_ns, row.transit_ns + row.wait_ns + row.idle_ns)
        .set(comm_op::transit_ns, row.transit_ns)
        .set(comm_op::wait_ns, row.wait_ns)
        .set(comm_op::idle_ns, row.idle_ns)
        .set(comm_op::src_pos, ++pos);
  }
  return table;
}

/// Runs `look` as a tool over the host's tables, so that it has a call.
template <class Look>
void with_call(sdk::testing::Host& host, Look look, std::string_view args = "{}") {
  static thread_local Look* current = nullptr;
  current = &look;
  host.run(
      [](sdk::Call& call) -> int32_t {
        (*current)(call);
        return call.emit(sdk::JsonWriter().begin_object().end_object());
      },
      args);
}

}  // namespace stepwise::comm_overlap::testing
