#include "core/ingest/database/db_inferences.h"

#include <algorithm>

namespace stepwise::ingest {
namespace {

bool is_of_graph(const DbTask& task) { return task.model_id && *task.model_id >= 0 && *task.model_id != kInvalidId; }

}  // namespace

DbInferences::DbInferences(Database& database, const DbStrings& strings, const DbApiTypes& types,
                           const DbDevice& device, const std::string& file, IngestContext& context) {
  DbRows rows(database, "CANN_API", {required("startNs"), required("endNs"), required("name"), required("type")}, file,
              context);
  while (rows.next()) {
    // The runtime has a call of that name within.
    if (types.name(rows.integer(3)) != "model" || strings.find(rows.integer(2)) != "ModelExecute") continue;
    int64_t start_ns = 0, dur_ns = 0;
    if (!to_slice(rows.integer(0), rows.integer(1), start_ns, dur_ns)) continue;  // counted with the other calls
    calls_.push_back({start_ns, start_ns + dur_ns});
  }
  std::sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) { return a.start_ns < b.start_ns; });
  const bool overlap = std::adjacent_find(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
                         return b.start_ns < a.end_ns;
                       }) != calls_.end();
  const bool all_within = std::all_of(device.kernels.begin(), device.kernels.end(), [&](const DbKernel& kernel) {
    const DbTask& task = device.tasks[kernel.task];
    return !is_of_graph(task) || call_at(task.start_ns).has_value();
  });
  if (overlap || !all_within) calls_.clear();
}

std::optional<int64_t> DbInferences::of_kernel(const DbTask& task) const {
  return is_of_graph(task) ? call_at(task.start_ns) : std::nullopt;
}

std::optional<int64_t> DbInferences::call_at(int64_t time_ns) const {
  const auto behind = std::upper_bound(calls_.begin(), calls_.end(), time_ns,
                                       [](int64_t time, const Call& call) { return time < call.start_ns; });
  if (behind == calls_.begin() || time_ns >= std::prev(behind)->end_ns) return std::nullopt;
  return behind - calls_.begin();
}

}  // namespace stepwise::ingest
