#include "core/ingest/discovery/foreign.h"

#include <array>
#include <cstddef>

namespace stepwise::ingest {

const ForeignInfo& info(Foreign foreign) {
  static constexpr std::array<ForeignInfo, static_cast<size_t>(Foreign::count_)> kTable{{
      {"", ""},
      {"msprof recording that was not exported", "Run msprof --export=on --output=DIRECTORY."},
      {"MindSpore recording that was not analysed",
       "Run mindspore.profiler.profiler.analyse(DIRECTORY) to make ASCEND_PROFILER_OUTPUT."},
      {"torch_npu recording that was not analysed",
       "Run torch_npu.profiler.profiler.analyse(DIRECTORY) to make ASCEND_PROFILER_OUTPUT."},
      {"exported recording of whose files none has a name that is known",
       "Give the exported files the names that their exporter gives them (op_summary_*.csv, kernel_details.csv), or "
       "export the recording again."},
  }};
  return kTable[static_cast<size_t>(foreign)];
}

}  // namespace stepwise::ingest
