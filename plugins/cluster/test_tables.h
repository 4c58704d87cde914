// Literal tables for the tests of this plugin. Times are in ns.
#pragma once

#include <initializer_list>
#include <optional>

#include "stepwise/testing.hpp"

namespace stepwise::cluster::testing {

struct StepRow {
  std::optional<int64_t> step;
  int64_t computing_ns, not_overlapped_ns, overlapped_ns, free_ns, stage_ns, bubble_ns = 0;
};

inline sdk::testing::Table steps(std::initializer_list<StepRow> rows) {
  namespace step = table::step;
  sdk::testing::Table table(step::kTable, "step_trace_time.csv");
  for (const StepRow& one : rows) {
    auto row = table.row();
    if (one.step) row.set(step::step, *one.step);
    row.set(step::computing_ns, one.computing_ns).set(step::not_overlapped_ns, one.not_overlapped_ns);
    row.set(step::overlapped_ns, one.overlapped_ns).set(step::free_ns, one.free_ns);
    row.set(step::stage_ns, one.stage_ns).set(step::bubble_ns, one.bubble_ns);
  }
  return table;
}

struct OperationRow {
  int64_t step;
  const char *name, *group;
  int64_t start_ns, elapse_ns, transit_ns = 0, wait_ns = 0;
  const char* kind = "collective";
};

inline sdk::testing::Table operations(std::initializer_list<OperationRow> rows) {
  namespace comm_op = table::comm_op;
  sdk::testing::Table table(comm_op::kTable, "communication.json");
  for (const OperationRow& one : rows) {
    auto row = table.row();
    row.set(comm_op::step, one.step).set(comm_op::name, one.name).set(comm_op::group_id, one.group);
    row.set(comm_op::type, "allReduce").set(comm_op::kind, one.kind);
    row.set(comm_op::start_ns, one.start_ns).set(comm_op::elapse_ns, one.elapse_ns);
    row.set(comm_op::transit_ns, one.transit_ns).set(comm_op::wait_ns, one.wait_ns);
    row.set(comm_op::idle_ns, one.elapse_ns - one.transit_ns - one.wait_ns);
  }
  return table;
}

struct KernelRow {
  std::optional<int64_t> step;
  const char *name, *class_;
  int64_t start_ns, dur_ns;
  const char *op_type = nullptr, *group = nullptr;
};

inline sdk::testing::Table kernels(std::initializer_list<KernelRow> rows) {
  namespace kernel = table::kernel;
  sdk::testing::Table table(kernel::kTable, "kernel_details.csv");
  for (const KernelRow& one : rows) {
    auto row = table.row();
    if (one.step) row.set(kernel::step, *one.step);
    if (one.op_type != nullptr) row.set(kernel::op_type, one.op_type);
    if (one.group != nullptr) row.set(kernel::group_id, one.group);
    row.set(kernel::name, one.name).set(kernel::class_, one.class_);
    row.set(kernel::start_ns, one.start_ns).set(kernel::dur_ns, one.dur_ns);
  }
  return table;
}

struct LinkRow {
  const char *name, *group;
  int64_t src, dst, bytes, transit_ns;
  const char* transport = "HCCS";
  int64_t step = 1;
};

inline sdk::testing::Table links(std::initializer_list<LinkRow> rows) {
  namespace matrix = table::comm_matrix;
  sdk::testing::Table table(matrix::kTable, "communication_matrix.json");
  for (const LinkRow& one : rows) {
    auto row = table.row();
    row.set(matrix::step, one.step).set(matrix::name, one.name).set(matrix::kind, "collective");
    row.set(matrix::group_id, one.group).set(matrix::src_rank, one.src).set(matrix::dst_rank, one.dst);
    row.set(matrix::transport, one.transport).set(matrix::bytes, one.bytes).set(matrix::transit_ns, one.transit_ns);
  }
  return table;
}

struct MetaRow {
  const char *key, *value;
};

inline sdk::testing::Table metadata(std::initializer_list<MetaRow> rows) {
  namespace meta = table::meta;
  sdk::testing::Table table(meta::kTable, "profiler_metadata.json");
  for (const MetaRow& one : rows) table.row().set(meta::key, one.key).set(meta::value, one.value);
  return table;
}

struct ClusterStepRow {
  const char* kind;
  std::optional<int64_t> of_rank;
  int64_t step, computing_ns, not_overlapped_ns, overlapped_ns, free_ns, stage_ns;
  std::optional<int64_t> pp_index = std::nullopt;
};

inline sdk::testing::Table cluster_steps(std::initializer_list<ClusterStepRow> rows) {
  namespace step = table::cluster_step;
  sdk::testing::Table table(step::kTable, "cluster_step_trace_time.csv");
  for (const ClusterStepRow& one : rows) {
    auto row = table.row();
    if (one.of_rank) row.set(step::of_rank, *one.of_rank);
    if (one.pp_index) row.set(step::pp_index, *one.pp_index);
    row.set(step::kind, one.kind).set(step::step, one.step).set(step::computing_ns, one.computing_ns);
    row.set(step::not_overlapped_ns, one.not_overlapped_ns).set(step::overlapped_ns, one.overlapped_ns);
    row.set(step::free_ns, one.free_ns).set(step::stage_ns, one.stage_ns).set(step::bubble_ns, 0);
  }
  return table;
}

struct ClusterOperationRow {
  const char *name, *group;
  int64_t of_rank;
  std::optional<int64_t> start_ns;
  int64_t elapse_ns, transit_ns = 0, wait_ns = 0;
  const char* kind = "collective";
  int64_t step = 1;
};

inline sdk::testing::Table cluster_operations(std::initializer_list<ClusterOperationRow> rows) {
  namespace op = table::cluster_comm_op;
  sdk::testing::Table table(op::kTable, "cluster_communication.json");
  for (const ClusterOperationRow& one : rows) {
    auto row = table.row();
    if (one.start_ns) row.set(op::start_ns, *one.start_ns);
    row.set(op::step, one.step).set(op::name, one.name).set(op::group_id, one.group).set(op::kind, one.kind);
    row.set(op::of_rank, one.of_rank).set(op::elapse_ns, one.elapse_ns);
    row.set(op::transit_ns, one.transit_ns).set(op::wait_ns, one.wait_ns);
  }
  return table;
}

}  // namespace stepwise::cluster::testing
