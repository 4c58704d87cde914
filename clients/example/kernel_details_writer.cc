#include <algorithm>
#include <string>

#include "clients/example/communication_figures.h"
#include "clients/example/kernel_columns.h"
#include "clients/example/summary_writers.h"

namespace stepwise::example {
namespace {

constexpr std::string_view kHeader =
    "Step Id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),";

}  // namespace

KernelDetailsWriter::KernelDetailsWriter(TextFile& file, const Facts& facts) : file_(file), facts_(facts) {
  file_.text(kHeader).text(kKernelColumns).text("\r\n");
}

void KernelDetailsWriter::kernel(const KernelRun& run) { rows_.push_back({run.start_ns, run.end_ns, -1, run}); }

void KernelDetailsWriter::collective(const CollectiveRun& run) {
  rows_.push_back({run.start_ns, run.end_ns, static_cast<int32_t>(collectives_.size()), {}});
  collectives_.push_back(run);
}

void KernelDetailsWriter::step_end(const StepRange& range) {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.start_ns < b.start_ns; });
  for (const Row& row : rows_) {
    if (row.collective < 0) {
      write_kernel(row, range.number);
    } else {
      write_collective(collectives_[static_cast<size_t>(row.collective)], range.number);
    }
  }
  rows_.clear();
  collectives_.clear();
}

void KernelDetailsWriter::start_and_wait(int64_t start_ns, int64_t end_ns) {
  file_.us3(start_ns).text("\t,").us(end_ns - start_ns).text(",");
  if (previous_end_ns_ < 0) {
    file_.text("0");
  } else {
    file_.us(std::max<int64_t>(start_ns - previous_end_ns_, 0));
  }
  previous_end_ns_ = end_ns;
}

void KernelDetailsWriter::write_kernel(const Row& row, int64_t step) {
  const KernelSpec& spec = *row.kernel.spec;
  file_.integer(step).text(",4294967295,").integer(row.kernel.task_id).text(",").integer(row.kernel.stream);
  file_.text(",").text(spec.name).text(",").text(spec.type);
  file_.text(facts_.dynamic_kernels ? ",dynamic," : ",static,").text(csv_core(spec.core)).text(",");
  start_and_wait(row.start_ns, row.end_ns);
  write_kernel_columns(file_, spec, row.kernel.step, row.start_ns, row.end_ns - row.start_ns);
  file_.text("\r\n");
}

void KernelDetailsWriter::write_collective(const CollectiveRun& run, int64_t step) {
  file_.integer(step).text(",4294967295,N/A,N/A,");
  file_.text(collective_name(run)).text(",").text(run.spec->type).text(",N/A,HCCL,");
  start_and_wait(run.start_ns, run.end_ns);
  file_.text(",0");
  write_not_available(file_, kKernelColumnCount - 1);
  file_.text("\r\n");
}

}  // namespace stepwise::example
