#include <algorithm>
#include <string>

#include "clients/example/communication_figures.h"
#include "clients/example/random.h"
#include "clients/example/summary_writers.h"

namespace stepwise::example {
namespace {

constexpr std::string_view kHeader =
    "Step Id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),"
    "Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,"
    "Output Formats,Context ID,aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),"
    "aic_scalar_ratio,aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,aic_fixpipe_time(us),"
    "aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,"
    "aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,"
    "aiv_icache_miss_rate,cube_utilization(%)\r\n";

constexpr int kCounterColumns = 25;

void not_available(TextFile& file, int columns) {
  for (int i = 0; i < columns; ++i) file.text(",N/A");
}

/// time and ratio of each pipe, then the cache's miss rate.
void pipes(TextFile& file, int64_t core_ns, Random& random, std::initializer_list<int> typical_permille) {
  for (int typical : typical_permille) {
    const int64_t permille = std::min<int64_t>(typical * 3 / 4 + random.below(typical / 2 + 1), 990);
    file.text(",").us(core_ns * permille / 1'000).text(",").decimal(permille, 3);
  }
  file.text(",").decimal(random.below(40), 3);
}

void idle_core(TextFile& file, int pipe_count) {
  file.text(",0.0,0");
  for (int i = 0; i < pipe_count; ++i) file.text(",0.0,0.0");
  file.text(",0.0");
}

/// The 25 columns of ACL_AICORE_PIPE_UTILIZATION. Chance comes from the row itself.
void pipe_utilization(TextFile& file, const KernelSpec& spec, int64_t start_ns, int64_t dur_ns) {
  if (spec.core == Core::ai_cpu) return not_available(file, kCounterColumns);
  Random random(static_cast<uint64_t>(start_ns));
  const int64_t core_ns = dur_ns - std::min<int64_t>(dur_ns / 4, 1'700);
  const int64_t cycles = core_ns * spec.block_dim * 18 / 10;  // at 1.8 GHz on each core
  if (spec.core == Core::ai_core || spec.core == Core::mix_aic) {
    file.text(",").us(core_ns).text(",").integer(cycles);
    pipes(file, core_ns, random, {520, 240, 610, 700, 90});
    if (spec.core == Core::ai_core) {
      idle_core(file, 4);
    } else {
      file.text(",").us(core_ns).text(",").integer(cycles * 2);
      pipes(file, core_ns, random, {340, 160, 300, 280});
    }
    file.text(",").decimal(core_ns * 1'000 / dur_ns * 86 / 100 * spec.block_dim / 24, 1);
  } else {
    idle_core(file, 5);
    file.text(",").us(core_ns).text(",").integer(cycles);
    // Sorting and index arithmetic run on the scalar unit.
    const bool scalar_bound = spec.type == "Sort" || spec.type == "EmbeddingDenseGrad";
    pipes(file, core_ns, random, {scalar_bound ? 150 : 260, scalar_bound ? 480 : 120, 430, 380});
    file.text(",0");
  }
}

/// A cell of tensors keeps its own quotes: "8,16;16" comes out as """8,16;16""".
void quoted_shapes(TextFile& file, std::string_view shapes) { file.text(",\"\"\"").text(shapes).text("\"\"\""); }

}  // namespace

KernelDetailsWriter::KernelDetailsWriter(TextFile& file, const Facts& facts) : file_(file), facts_(facts) {
  file_.text(kHeader);
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
  file_.text(",").integer(spec.block_dim).text(",0,").text(spec.hf32 ? "YES" : "NO");
  quoted_shapes(file_, spec.input_shapes[static_cast<size_t>(row.kernel.step) % spec.input_shapes.size()]);
  file_.text(",").text(spec.input_types).text(",").text(spec.input_formats);
  quoted_shapes(file_, spec.output_shapes);
  file_.text(",").text(spec.output_types).text(",").text(spec.output_formats);
  file_.text(spec.core == Core::mix_aiv || spec.core == Core::mix_aic ? ",0" : ",N/A");
  pipe_utilization(file_, spec, row.start_ns, row.end_ns - row.start_ns);
  file_.text("\r\n");
}

void KernelDetailsWriter::write_collective(const CollectiveRun& run, int64_t step) {
  file_.integer(step).text(",4294967295,N/A,N/A,");
  file_.text(collective_name(run)).text(",").text(run.spec->type).text(",N/A,HCCL,");
  start_and_wait(run.start_ns, run.end_ns);
  file_.text(",0");
  not_available(file_, 9 + kCounterColumns);
  file_.text("\r\n");
}

}  // namespace stepwise::example
