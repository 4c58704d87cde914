// Files of MindSpore before 2.4: one directory for all devices of a host, whose numbers stand in the files' names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/exports/kernel_table.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// "aicore_intermediate_3_type.csv", "ascend_cluster_analyse_model-parallel_1_2_3.csv" -> 3
std::optional<uint32_t> legacy_device(std::string_view path);
/// Why a file of that name beside them is not read; "": nothing is known about it.
std::string why_not_legacy(std::string_view path);

/// "Default/network/Mul-op29" -> "Mul"; "": the name does not follow that rule.
std::string_view type_in_operator_name(std::string_view name);

/// After the rows of the table kernel are in: types that the names tell, classes, and times that make no sense.
void finish_ms_kernels(KernelPlaces places, const std::string& file, Diagnostics& diagnostics,
                       store::SegmentBuilder& out);

}  // namespace stepwise::ingest
