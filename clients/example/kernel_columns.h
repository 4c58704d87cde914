// The columns that torch_npu's kernel_details.csv and msprof's op_summary share: from the blocks to the counters.
#pragma once

#include <cstdint>
#include <string_view>

#include "clients/example/operators.h"
#include "clients/example/text_file.h"

namespace stepwise::example {

inline constexpr std::string_view kKernelColumns =
    "Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,"
    "Output Formats,Context ID,aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),"
    "aic_scalar_ratio,aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,aic_fixpipe_time(us),"
    "aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,"
    "aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,"
    "aiv_icache_miss_rate,cube_utilization(%)";
inline constexpr int kKernelColumnCount = 35;

/// Each with the comma before it. step: which of the kernel's shapes.
void write_kernel_columns(TextFile& file, const KernelSpec& spec, int step, int64_t start_ns, int64_t dur_ns);
void write_not_available(TextFile& file, int columns);

}  // namespace stepwise::example
