#include "summary_parts.h"

#include <string>

#include "short_text.h"

namespace stepwise::overview {
namespace {

using sdk::JsonWriter;

constexpr size_t kTypesShown = 24;

void write_instances(JsonWriter& w, const Summary& s) {
  w.key("instances_fit");
  if (!s.instances) {
    w.value(nullptr);
    return;
  }
  w.begin_object().field("max", s.instances->max).field("how", s.instances->how).end_object();
}

void write_fusion(JsonWriter& w, const Summary& s) {
  w.key("fusion");
  if (!s.fused) {
    w.value(nullptr);
    return;
  }
  w.begin_object().field("operators", s.fused->operators).field("executions", s.fused->executions);
  w.field("total_us", us_of(s.fused->total_ns));
  w.field("cube_with_vector", s.fused->fuses_products).field("catlass", s.fused->catlass);
  w.key("types").begin_array();
  size_t shown = 0;
  for (const std::string& type : s.fused->types) {
    if (shown++ < kTypesShown) w.value(type);
  }
  w.end_array().end_object();
}

// Fewer cores than the chip has may be a limit that somebody set; without the chip's number nothing can be said.
void write_cores(JsonWriter& w, const Summary& s) {
  w.key("cores").begin_array();
  if (s.cores) {
    for (const auto& [core_type, largest] : s.cores->largest_block_dim) {
      const auto chip = s.cores->of(*side_of(core_type)).of_chip;
      w.begin_object().field("core_type", core_type).field("max_block_dim", largest).field("chip_cores", chip);
      w.key("limited");
      chip ? w.value(largest < *chip) : w.value(nullptr);
      if (!chip) w.field("says", "the chip's number of cores is not known");
      w.end_object();
    }
  }
  w.end_array();
}

void write_gap(JsonWriter& w, const Summary& s) {
  w.key("gap");
  if (!s.gap || !s.iterating) {
    w.value(nullptr);
    return;
  }
  const auto mean = [&s](int64_t sum_ns) { return s.iterating->us(sum_ns); };
  w.begin_object().field("step_us", mean(s.gap->wall_ns)).field("op_time_us", mean(s.gap->operator_ns));
  w.field("gap_us", mean(s.gap->gap_ns())).field("communication_us", mean(s.gap->communication_ns));
  w.field("copy_us", s.window && s.window->tells_copies ? std::optional(mean(s.gap->copy_ns)) : std::nullopt);
  w.field("between_kernels_us", mean(s.gap->between_ns)).field("outside_kernels_us", mean(s.gap->outside_ns));
  w.field("parallel_us", mean(s.gap->parallel_ns)).field("rounding_us", mean(s.gap->rounding_ns));
  w.field("synchronisation_us", s.synchronisation_us).end_object();
}

}  // namespace

void write_parts(JsonWriter& w, const Summary& s) {
  write_instances(w, s);
  write_fusion(w, s);
  write_cores(w, s);
  write_gap(w, s);
}

}  // namespace stepwise::overview
