// What the tables of device tasks have in common: kernel_details.csv is torch_npu's copy of msprof's op_summary_*.csv
// under other names of seven columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/ingest/csv/csv_table.h"
#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {

inline constexpr const char* kCompute = "compute";

/// The columns that are called alike in both.
inline constexpr CsvColumn kKernelColumns[] = {
    csv_column(table::kernel::class_, Cell::constant, kCompute),  // corrected below
    csv_column(table::kernel::stream, Cell::integer, "Stream ID"),
    csv_column(table::kernel::device, Cell::integer, "Device_id"),
    csv_column(table::kernel::block_dim, Cell::integer, "Block Dim", "Block Num"),
    csv_column(table::kernel::op_state, Cell::text, "OP State"),
    csv_column(table::kernel::hf32, Cell::text, "HF32 Eligible"),
    csv_column(table::kernel::model_id, Cell::integer, "Model ID"),
    csv_column(table::kernel::task_id, Cell::integer, "Task ID"),
    csv_column(table::kernel::input_shapes, Cell::shapes, "Input Shapes"),
    csv_column(table::kernel::input_dtypes, Cell::text, "Input Data Types"),
    csv_column(table::kernel::input_formats, Cell::text, "Input Formats"),
    csv_column(table::kernel::output_shapes, Cell::shapes, "Output Shapes"),
    csv_column(table::kernel::output_dtypes, Cell::text, "Output Data Types"),
    csv_column(table::kernel::output_formats, Cell::text, "Output Formats"),
    csv_column(table::kernel::aic_time_ns, Cell::us, "aicore_time(us)", "aic_time(us)"),
    csv_column(table::kernel::aiv_time_ns, Cell::us, "aiv_time(us)"),
    csv_column(table::kernel::aic_mac_ratio, Cell::number, "aic_mac_ratio", "mac_ratio"),
    csv_column(table::kernel::aic_scalar_ratio, Cell::number, "aic_scalar_ratio", "scalar_ratio"),
    csv_column(table::kernel::aic_mte1_ratio, Cell::number, "aic_mte1_ratio", "mte1_ratio"),
    csv_column(table::kernel::aic_mte2_ratio, Cell::number, "aic_mte2_ratio", "mte2_ratio"),
    csv_column(table::kernel::aic_fixpipe_ratio, Cell::number, "aic_fixpipe_ratio"),
    csv_column(table::kernel::aiv_vec_ratio, Cell::number, "aiv_vec_ratio", "vec_ratio"),
    csv_column(table::kernel::aiv_scalar_ratio, Cell::number, "aiv_scalar_ratio"),
    csv_column(table::kernel::aiv_mte2_ratio, Cell::number, "aiv_mte2_ratio"),
    csv_column(table::kernel::aiv_mte3_ratio, Cell::number, "aiv_mte3_ratio", "mte3_ratio"),
    csv_column(table::kernel::cube_utilization_ratio, Cell::percent, "cube_utilization(%)"),
};

/// A format's own columns, and those.
template <size_t N>
consteval auto with_kernel_columns(const CsvColumn (&own)[N]) {
  std::array<CsvColumn, N + std::size(kKernelColumns)> all{};
  std::copy(std::begin(kKernelColumns), std::end(kKernelColumns),
            std::copy(std::begin(own), std::end(own), all.begin()));
  return all;
}

/// Sets the class of each row of the table kernel, if there is one, from its core, else from its type and name.
void classify_kernels(store::SegmentBuilder& out);

enum class KernelPlaces : uint8_t { rows, bytes };  // what src_pos means
/// Counts the rows of the table kernel, if there is one, that start implausibly far from the others.
void report_far_kernels(store::SegmentBuilder& out, KernelPlaces places, const std::string& file,
                        Diagnostics& diagnostics);

}  // namespace stepwise::ingest
