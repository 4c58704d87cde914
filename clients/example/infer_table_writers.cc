#include <algorithm>

#include "clients/example/infer_writers.h"
#include "clients/example/kernel_columns.h"
#include "clients/example/text_file.h"

namespace stepwise::example {

Result<int64_t> write_op_summary(const std::filesystem::path& path, const InferExport& run) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(
      "Device_id,Model Name,Model ID,Task ID,Stream ID,Infer ID,Op Name,OP Type,OP State,Task Type,"
      "Task Start Time(us),Task Duration(us),Task Wait Time(us),");
  file.text(kKernelColumns).text("\n");
  int64_t previous_end_ns = -1;
  run_inference(run.facts, run.graph, run.device, [&](const InferIteration& iteration) {
    for (const InferKernel& one : iteration.kernels) {
      const GraphNode& node = run.graph.nodes[static_cast<size_t>(one.node)];
      const KernelSpec& spec = run.graph.kernels[static_cast<size_t>(node.kernel)];
      file.integer(run.device).text(",").text(kInferModelName).text(",").integer(kInferModelId).text(",");
      file.integer(one.task_id).text(",").integer(kInferStream).text(",").integer(iteration.number).text(",");
      file.text(spec.name).text(",").text(spec.type).text(",static,").text(csv_core(spec.core)).text(",");
      file.us3(one.start_ns).text("\t,").us(one.end_ns - one.start_ns).text(",");
      file.us(previous_end_ns < 0 ? 0 : std::max<int64_t>(one.start_ns - previous_end_ns, 0));
      previous_end_ns = one.end_ns;
      write_kernel_columns(file, spec, 0, one.start_ns, one.end_ns - one.start_ns);
      file.text("\n");
    }
  });
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

Result<int64_t> write_step_trace(const std::filesystem::path& path, const InferExport& run) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(
      "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to BP Time(us),"
      "Iteration Refresh(us),Data Aug Bound(us),Model ID\n");
  int64_t previous_end_ns = -1;
  run_inference(run.facts, run.graph, run.device, [&](const InferIteration& iteration) {
    const int64_t first_ns = iteration.kernels.front().start_ns, last_ns = iteration.kernels.back().end_ns;
    file.integer(run.device).text(",").integer(iteration.number);
    for (int64_t at : {first_ns, last_ns, iteration.end_ns()}) file.text(",").us3(at).text("\t");
    for (int64_t lasted :
         {iteration.end_ns() - iteration.start_ns(), last_ns - first_ns, iteration.end_ns() - last_ns}) {
      file.text(",").us(lasted);
    }
    if (previous_end_ns < 0) {
      file.text(",N/A,");
    } else {
      file.text(",").us(first_ns - previous_end_ns).text(",");
    }
    file.integer(kInferModelId).text("\n");
    previous_end_ns = iteration.end_ns();
  });
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
