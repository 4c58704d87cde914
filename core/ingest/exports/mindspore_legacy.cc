#include "core/ingest/exports/mindspore_legacy.h"

#include <algorithm>
#include <limits>

#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

struct Unread {
  std::string_view start;
  const char* why;
};
constexpr const char* kDataPipeline = "it is about the input pipeline on the host, which no table holds";
constexpr Unread kUnread[] = {
    {"minddata_", kDataPipeline},
    {"pipeline_profiling_", kDataPipeline},
    {"device_queue_profiling_", kDataPipeline},
    {"dataset_iterator_profiling_", kDataPipeline},
    {"gpu_timeline_display_", "it is of a GPU: Stepwise reads MindSpore's files of NPUs"},
    {"dynamic_shape_info_", "it is of a GPU: Stepwise reads MindSpore's files of NPUs"},
    {"flops_", "it counts floating point operations, which no table holds"},
    {"ascend_cluster_analyse_data-parallel_", "step_trace_raw_*_detail_time.csv holds the same"},
    {"output_op_compute_time_", "aicore_intermediate_*.csv hold the same"},
    {"output_data_preprocess_aicpu_", "aicpu_intermediate_*.csv holds the same"},
    {"output_format_data_hwts_", "it is the device's raw log, which output_timeline_data_*.txt was made from"},
};

}  // namespace

std::optional<uint32_t> legacy_device(std::string_view path) {
  std::string_view name = file_name_of(path);
  name = name.substr(0, name.find('.'));
  // The last part that is a number: other numbers, as of stages, stand before it.
  while (!name.empty()) {
    const size_t at = name.rfind('_');
    const std::string_view part = name.substr(at + 1);  // npos + 1 is 0
    const auto number = to_integer(part);
    if (number && *number >= 0 && *number <= std::numeric_limits<uint32_t>::max()) {
      return static_cast<uint32_t>(*number);
    }
    name = name.substr(0, at == name.npos ? 0 : at);
  }
  return std::nullopt;
}

std::string why_not_legacy(std::string_view path) {
  const std::string_view name = file_name_of(path);
  const auto* const found = std::find_if(std::begin(kUnread), std::end(kUnread),
                                         [name](const Unread& one) { return name.starts_with(one.start); });
  if (found != std::end(kUnread)) return found->why;
  const bool is_sum = name.find("timeline_summary_") != name.npos;
  return is_sum ? "it counts what the other files hold" : "";
}

std::string_view type_in_operator_name(std::string_view name) {
  constexpr std::string_view kNumber = "-op";
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  const size_t at = name.rfind(kNumber);
  if (at == name.npos || !to_integer(name.substr(at + kNumber.size()))) return "";
  return name.substr(0, at);
}

}  // namespace stepwise::ingest
