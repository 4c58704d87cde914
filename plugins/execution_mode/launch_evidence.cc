// What launched the kernels.
#include <vector>

#include "mode_evidence.h"

namespace stepwise::execution_mode {
namespace {

namespace kernel = table::kernel;
namespace kernel_link = table::kernel_link;
namespace host_op = table::host_op;
namespace runtime_api = table::runtime_api;

// As traces of different ages name the category of framework operators; ranges that a program marks are another.
bool is_operator(std::string_view category) {
  return category == "cpu_op" || category == "Operator" || category == "operator";
}

// torch_npu writes ranges as operators; the one around a whole step is known by its name.
bool is_step(std::string_view name) { return name.substr(0, 13) == "ProfilerStep#"; }

bool launches_graph(std::string_view name) {
  for (const std::string_view call : {"cudaGraphLaunch", "cuGraphLaunch", "hipGraphLaunch"}) {
    if (name.substr(0, call.size()) == call) return true;  // with suffixes such as _ptsz
  }
  return false;
}

bool launches_kernel(std::string_view name) {
  for (const std::string_view call :
       {"cudaLaunchKernel", "cuLaunchKernel", "cudaLaunchCooperativeKernel", "cuLaunchCooperativeKernel",
        "hipLaunchKernel", "hipModuleLaunchKernel", "hipExtModuleLaunchKernel", "hipExtLaunchKernel"}) {
    if (name.substr(0, call.size()) == call) return true;  // cudaLaunchKernelExC, too
  }
  return false;
}

void look_at_launching_calls(const sdk::Call& call, const sdk::TableView& calls, ModeEvidence& evidence) {
  const auto name = calls[runtime_api::name];
  call.for_each_row(calls.rows(), [&](uint64_t row) {
    const bool graph = launches_graph(name[row]);
    if (!graph && !launches_kernel(name[row])) return;
    (graph ? evidence.cuda_graph_launch : evidence.single_launch)
        .see(name[row], calls[runtime_api::dur_ns][row], calls.source_file(), calls[runtime_api::src_pos][row]);
  });
}

void look_at_regions(const sdk::Call& call, const sdk::TableView& ops, ModeEvidence& evidence) {
  const auto name = ops[host_op::name];
  call.for_each_row(ops.rows(), [&](uint64_t row) {
    const std::string_view text = name[row];
    if (text.find("Torch-Compiled Region") == std::string_view::npos && text.substr(0, 8) != "Compiled") return;
    evidence.compiled_region.see(text, ops[host_op::dur_ns][row], ops.source_file(), ops[host_op::src_pos][row]);
  });
}

}  // namespace

void look_at_launches(sdk::Call& call, uint32_t rank, const sdk::TableView& kernels, ModeEvidence& evidence) {
  const auto links = call.table(rank, kernel_link::kTable);
  const auto ops = call.table(rank, host_op::kTable);
  if (!links || !ops) return;
  evidence.saw_launches = true;
  const auto calls = call.table(rank, runtime_api::kTable);
  if (calls) look_at_launching_calls(call, *calls, evidence);
  look_at_regions(call, *ops, evidence);

  enum class LaunchedBy : uint8_t { unseen, a_graph, an_operator, something_else };
  // An operator that launches a graph launches none of its kernels one by one.
  const auto by_graph = [&](uint64_t row) {
    const auto api = (*links)[kernel_link::runtime_api_id].get(row);
    return calls && api && *api >= 0 && static_cast<uint64_t>(*api) < calls->rows() &&
           launches_graph((*calls)[runtime_api::name][static_cast<uint64_t>(*api)]);
  };
  std::vector<LaunchedBy> launched_by(kernels.rows(), LaunchedBy::unseen);
  const auto category = (*ops)[host_op::category], name = (*ops)[host_op::name];
  call.for_each_row(links->rows(), [&](uint64_t row) {
    const int64_t id = (*links)[kernel_link::kernel_id][row];
    // What merely ran at the same time is no launch.
    if (id < 0 || static_cast<uint64_t>(id) >= kernels.rows() || (*links)[kernel_link::how][row] == "time") return;
    LaunchedBy& launcher = launched_by[static_cast<size_t>(id)];
    if (by_graph(row)) {
      launcher = LaunchedBy::a_graph;
      return;
    }
    const auto op = (*links)[kernel_link::host_op_id].get(row);
    const bool known = op && *op >= 0 && static_cast<uint64_t>(*op) < ops->rows();
    const auto at = known ? static_cast<uint64_t>(*op) : 0;
    launcher =
        known && is_operator(category[at]) && !is_step(name[at]) ? LaunchedBy::an_operator : LaunchedBy::something_else;
  });
  const auto class_ = kernels[kernel::class_];
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    if (class_[row] != "compute") return;
    Sighting& seen = launched_by[row] == LaunchedBy::a_graph          ? evidence.in_graph
                     : launched_by[row] == LaunchedBy::an_operator    ? evidence.by_operator
                     : launched_by[row] == LaunchedBy::something_else ? evidence.by_no_operator
                                                                      : evidence.launch_not_seen;
    seen.see(kernels[kernel::name][row], kernels[kernel::dur_ns][row], kernels.source_file(),
             kernels[kernel::src_pos][row]);
  });
}

}  // namespace stepwise::execution_mode
