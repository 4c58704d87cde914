#include "clients/example/kernel_columns.h"

#include <algorithm>
#include <initializer_list>

#include "clients/example/random.h"

namespace stepwise::example {
namespace {

constexpr int kCounterColumns = 25;

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
  if (spec.core == Core::ai_cpu) return write_not_available(file, kCounterColumns);
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
  pipe_utilization(file, spec, start_ns, dur_ns);
}

}  // namespace stepwise::example
