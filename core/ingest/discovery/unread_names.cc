#include "core/ingest/discovery/unread_names.h"

#include <algorithm>
#include <iterator>

namespace stepwise::ingest {
namespace {

struct Unread {
  std::string_view start, end;
  const char* why;
};
constexpr const char* kSamples = "its samples stand in the timeline, as counters";
constexpr const char* kHost = "it is about the host as a whole, which no table holds";
constexpr const char* kControl = "it is about the device's own processors for control, which no table holds";
constexpr const char* kInput = "it is about the input pipeline on the host, which no table holds";
constexpr Unread kUnread[] = {
    {"", ".db-shm", "it is SQLite's own, beside the database"},
    {"", ".db-wal", "it holds changes of the database beside it that were not merged"},
    {"communication_statistic", ".csv", "it sums the communication operators of the operators' file"},
    {"soc_pmu", ".csv", "it tells how often tasks missed the page cache (TLB), which no table holds"},
    {"nic", ".csv", kSamples},
    {"roce", ".csv", kSamples},
    {"pcie", ".csv", kSamples},
    {"hccs", ".csv", kSamples},
    {"ddr", ".csv", kSamples},
    {"hbm", ".csv", kSamples},
    {"llc", ".csv", kSamples},
    {"ub", ".csv", kSamples},
    {"ccu_mission", ".csv", "its instructions stand in the timeline"},
    {"ccu_channel", ".csv", "it samples the unit for collective communication, which no table holds"},
    {"dvpp", ".csv", "it is about decoding of pictures, which no table holds"},
    {"ai_cpu_top_function", ".csv", kControl},
    {"ai_cpu_pmu_events", ".csv", kControl},
    {"ctrl_cpu_top_function", ".csv", kControl},
    {"ctrl_cpu_pmu_events", ".csv", kControl},
    {"ts_cpu_top_function", ".csv", kControl},
    {"ts_cpu_pmu_events", ".csv", kControl},
    {"host_cpu_usage", ".csv", kSamples},
    {"host_mem_usage", ".csv", kSamples},
    {"host_disk_usage", ".csv", kSamples},
    {"host_network_usage", ".csv", kSamples},
    {"os_runtime_statistic", ".csv", "it sums calls that stand in the timeline"},
    {"cpu_usage", ".csv", kHost},
    {"process_cpu_usage", ".csv", kHost},
    {"sys_mem", ".csv", kHost},
    {"process_mem", ".csv", kHost},
    {"msprof_tx", ".csv", "its ranges stand in the timeline"},
    {"aicpu_mi", ".csv", kInput},
    {"dp", ".csv", kInput},
    {"inductor_provenance", ".json", "it tells which operators a generated kernel was made of, which no table holds"},
    {"inductor_collective_schedule", ".json", "it is the compiler's order of collectives, which no table holds"},
    {"inductor_runtime_and_tensor_meta", ".json", "it holds what the compiler estimated, not what was measured"},
    {"start_info", "", "it is the recorder's own"},
    {"end_info", "", "it is the recorder's own"},
};

}  // namespace

std::string known_reason(std::string_view file_name) {
  const auto fits = [file_name](const Unread& one) {
    if (!file_name.starts_with(one.start) || !file_name.ends_with(one.end)) return false;
    // nic.csv and nic_20250101.csv, not nice.csv.
    const std::string_view rest = file_name.substr(one.start.size());
    return one.start.empty() || rest.empty() || rest[0] == '.' || rest[0] == '_';
  };
  const auto* const found = std::find_if(std::begin(kUnread), std::end(kUnread), fits);
  return found == std::end(kUnread) ? "" : found->why;
}

std::string why_unread(std::string_view file_name) {
  std::string known = known_reason(file_name);
  return known.empty() ? "no table takes it in this version" : known;
}

}  // namespace stepwise::ingest
