#include "clients/example/kernel_columns.h"

#include <optional>

#include "clients/example/pipe_counters.h"

namespace stepwise::example {
namespace {

constexpr int kCounterColumns = 25;

void write_half(TextFile& file, const HalfCounters& half) {
  file.text(",").us(half.time_ns).text(",").integer(half.cycles);
  for (const PipeUse& pipe : half.pipes) file.text(",").us(pipe.time_ns).text(",").decimal(pipe.permille, 3);
  file.text(",").decimal(half.miss_permille, 3);
}

void write_counters(TextFile& file, const std::optional<PipeCounters>& counters) {
  if (!counters) return write_not_available(file, kCounterColumns);
  write_half(file, counters->cube);
  write_half(file, counters->vector);
  file.text(",");
  if (counters->cube_utilization_e1) {
    file.decimal(*counters->cube_utilization_e1, 1);
  } else {
    file.text("0");
  }
}

/// A cell of tensors keeps its own quotes: "8,16;16" comes out as """8,16;16""".
void quoted_shapes(TextFile& file, std::string_view shapes) { file.text(",\"\"\"").text(shapes).text("\"\"\""); }

}  // namespace

void write_not_available(TextFile& file, int columns) {
  for (int i = 0; i < columns; ++i) file.text(",N/A");
}

void write_kernel_columns(TextFile& file, const KernelSpec& spec, int step, int64_t start_ns, int64_t dur_ns) {
  file.text(",").integer(spec.block_dim).text(",0,").text(spec.hf32 ? "YES" : "NO");
  quoted_shapes(file, spec.input_shapes[static_cast<size_t>(step) % spec.input_shapes.size()]);
  file.text(",").text(spec.input_types).text(",").text(spec.input_formats);
  quoted_shapes(file, spec.output_shapes);
  file.text(",").text(spec.output_types).text(",").text(spec.output_formats);
  file.text(spec.core == Core::mix_aiv || spec.core == Core::mix_aic ? ",0" : ",N/A");
  write_counters(file, pipe_counters(spec, start_ns, dur_ns));
}

}  // namespace stepwise::example
