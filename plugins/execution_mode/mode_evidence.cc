#include "mode_evidence.h"

#include <vector>

namespace stepwise::execution_mode {
namespace {

namespace kernel = table::kernel;
namespace op_stat = table::op_stat;
namespace api_stat = table::api_stat;

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// Kernel names begin with the fused kernel's own name, operator types are that name; either may be absent.
FusedBy fused_by_either(std::string_view op_type, std::string_view name) {
  const FusedBy by_type = fused_by(op_type);
  return by_type != FusedBy::none ? by_type : fused_by(name);
}

void look_at_kernels(const sdk::Call& call, const sdk::TableView& view, ModeEvidence& evidence) {
  evidence.saw_kernels = true;
  evidence.operators_file = view.source_file();
  const auto name = view[kernel::name];
  const auto op_type = view[kernel::op_type];
  const auto class_ = view[kernel::class_];
  const auto dur_ns = view[kernel::dur_ns];
  const auto model_id = view[kernel::model_id];
  const auto src_pos = view[kernel::src_pos];
  const std::string_view file = view.source_file();
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto model = model_id.get(row);
    if (model) {
      Sighting& seen = *model == ModeEvidence::kSingleOperator ? evidence.single_operator_rows : evidence.graph_rows;
      seen.see(name[row], dur_ns[row], file, src_pos[row]);
    }
    if (class_[row] == "communication" || class_[row] == "copy") return;
    ++evidence.compute_rows;
    if (!model) ++evidence.compute_rows_without_model_id;
    (starts_with(name[row], "aclnn") ? evidence.aclnn_named : evidence.otherwise_named)
        .see(name[row], dur_ns[row], file, src_pos[row]);
    const FusedBy by = fused_by_either(op_type[row], name[row]);
    if (by != FusedBy::none) evidence.fused[static_cast<size_t>(by)].see(name[row], dur_ns[row], file, src_pos[row]);
  });
}

void look_at_op_types(const sdk::Call& call, const sdk::TableView& view, ModeEvidence& evidence) {
  evidence.saw_op_types = true;
  evidence.operators_file = view.source_file();
  const auto op_type = view[op_stat::op_type];
  const auto total_ns = view[op_stat::total_ns];
  const auto src_pos = view[op_stat::src_pos];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const FusedBy by = fused_by(op_type[row]);
    if (by == FusedBy::none) return;
    evidence.fused[static_cast<size_t>(by)].see(op_type[row], total_ns[row], view.source_file(), src_pos[row]);
  });
}

void look_at_host_calls(const sdk::Call& call, const sdk::TableView& view, ModeEvidence& evidence) {
  evidence.saw_host_calls = true;
  evidence.host_calls_file = view.source_file();
  const auto level = view[api_stat::level];
  const auto name = view[api_stat::name];
  const auto count = view[api_stat::count];
  const auto total_ns = view[api_stat::total_ns];
  const auto src_pos = view[api_stat::src_pos];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    Sighting* seen = nullptr;
    if (name[row] == "ModelExecute") {
      seen = level[row] == "runtime" ? &evidence.runtime_model_execute : &evidence.model_execute;
    } else if (name[row] == "aclmdlRIExecuteAsync" || name[row] == "aclmdlRIExecute") {
      seen = &evidence.graph_replay;
    }
    if (seen == nullptr) return;
    seen->see(name[row], total_ns[row], view.source_file(), src_pos[row]);
    seen->count += static_cast<uint64_t>(count[row]) - 1;  // a row of the file stands for many calls
  });
}

void look_at_dumps(const sdk::Call& call, const sdk::TableView& view, ModeEvidence& evidence) {
  namespace node = table::graph_node;
  const auto graph = view[node::graph];
  const auto format = view[node::format];
  const auto line = view[node::line];
  std::vector<bool> seen(graph.dictionary_size(), false);
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto code = static_cast<size_t>(graph.code(row));
    if (seen[code] || format[row] == "execution_trace") return;
    seen[code] = true;
    const std::string_view name = graph[row];
    evidence.graph_dumps.see(name, 0, name.substr(0, name.find(':')), line[row]);
  });
}

}  // namespace

FusedBy fused_by(std::string_view name) {
  if (starts_with(name, "autofuse_") || starts_with(name, "autofused_")) return FusedBy::autofuse;
  if (starts_with(name, "triton_") && name.find("_fused") != std::string_view::npos) return FusedBy::triton;
  if (starts_with(name, "dvm_")) return FusedBy::dvm;
  if (starts_with(name, "mlir_fused_")) return FusedBy::mlir;
  return FusedBy::none;
}

void Sighting::see(std::string_view name, int64_t ns, std::string_view in_file, int64_t row) {
  total_ns += ns;
  if (count++ > 0) return;
  first_name = name;
  file = in_file;
  first_row = row;
}

ModeEvidence collect_mode_evidence(sdk::Call& call, uint32_t rank) {
  ModeEvidence evidence;
  evidence.is_gpu = call.args().profile().kind == "kineto";
  if (const auto kernels = call.table(rank, kernel::kTable)) {
    look_at_kernels(call, *kernels, evidence);
    look_at_launches(call, rank, *kernels, evidence);
  }
  // Types are summed from the same rows: they add nothing where the rows are there.
  if (!evidence.saw_kernels) {
    if (const auto types = call.table(rank, op_stat::kTable)) look_at_op_types(call, *types, evidence);
  }
  if (const auto calls = call.table(rank, api_stat::kTable)) look_at_host_calls(call, *calls, evidence);
  if (const auto nodes = call.table(rank, table::graph_node::kTable)) look_at_dumps(call, *nodes, evidence);
  return evidence;
}

}  // namespace stepwise::execution_mode
