// Sums that exporters write into text files of their own; a database leaves them to its reader.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/ingest/database/db_kernels.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

struct Sum {
  int64_t count = 0, total_ns = 0, min_ns = std::numeric_limits<int64_t>::max(), max_ns = 0, first_row = 0;
  double squares_us2 = 0;

  void add(int64_t dur_ns, int64_t row) {
    if (count++ == 0) first_row = row;
    total_ns = std::min(total_ns + dur_ns, limits::kMaxDurationNs);  // what no file could truly say adds up to
    min_ns = std::min(min_ns, dur_ns);
    max_ns = std::max(max_ns, dur_ns);
  }
  int64_t avg_ns() const { return (total_ns + count / 2) / count; }
};

using SumsByName = std::map<std::pair<std::string, std::string>, Sum>;

}  // namespace

void fill_op_stat(const DbStrings& strings, const DbDevice& device, const std::string& file,
                  store::SegmentBuilder& out) {
  namespace stat = table::op_stat;
  SumsByName sums;
  double all_ns = 0;
  for (const DbKernel& one : device.kernels) {
    const auto type = strings.known(one.op_type);
    if (!type) continue;  // of Level0 nothing is known but names
    const DbTask& task = device.tasks[one.task];
    sums[{std::string(*type), std::string(strings.known(one.core_type).value_or(""))}].add(task.dur_ns, task.row);
    all_ns += static_cast<double>(task.dur_ns);
  }
  if (sums.empty()) return;
  std::vector<const SumsByName::value_type*> largest_first;
  for (const auto& sum : sums) largest_first.push_back(&sum);
  std::stable_sort(largest_first.begin(), largest_first.end(),
                   [](const auto* a, const auto* b) { return a->second.total_ns > b->second.total_ns; });
  store::TableBuilder& rows = out.table(stat::kTable);
  out.set_source_file(stat::kTable, file);
  for (const auto* one : largest_first) {
    const auto& [type, core] = one->first;
    const Sum& sum = one->second;
    rows.append(stat::op_type, type);
    rows.append_or_null(stat::core_type, core.empty() ? std::nullopt : std::optional(core));
    rows.append(stat::count, sum.count);
    rows.append(stat::total_ns, sum.total_ns);
    rows.append(stat::min_ns, sum.min_ns);
    rows.append(stat::avg_ns, sum.avg_ns());
    rows.append(stat::max_ns, sum.max_ns);
    rows.append_or_null(stat::total_ratio,
                        all_ns == 0 ? std::nullopt : std::optional(static_cast<double>(sum.total_ns) / all_ns));
    rows.append(stat::src_pos, sum.first_row);
    rows.end_row();
  }
}

void fill_api_stat(Database& database, const DbStrings& strings, const DbApiTypes& types, const std::string& file,
                   IngestContext& context, store::SegmentBuilder& out) {
  namespace stat = table::api_stat;
  SumsByName sums;
  std::map<std::pair<int64_t, int64_t>, SumsByName::iterator> known;  // type and name by their numbers
  std::vector<std::pair<SumsByName::iterator, int64_t>> durations;
  DbRows calls(database, "CANN_API", {required("startNs"), required("endNs"), required("type"), required("name")}, file,
               context);
  while (calls.next()) {
    const auto type = calls.integer(2), name = calls.integer(3);
    const auto text = strings.find(name);
    int64_t start_ns = 0, dur_ns = 0;
    if (!text || types.name(type).empty() || !to_slice(calls.integer(0), calls.integer(1), start_ns, dur_ns)) {
      calls.leave_out("has no layer, name, start and end that make sense");
      continue;
    }
    const auto [it, is_new] = known.try_emplace({*type, *name}, sums.end());
    if (is_new) it->second = sums.try_emplace({std::string(*text), types.name(type)}).first;
    it->second->second.add(dur_ns, calls.number());
    durations.emplace_back(it->second, dur_ns);
  }
  if (sums.empty()) return;
  for (const auto& [sum, dur_ns] : durations) {
    const double mean_us = static_cast<double>(sum->second.total_ns) / static_cast<double>(sum->second.count) / 1e3;
    const double off_us = static_cast<double>(dur_ns) / 1e3 - mean_us;
    sum->second.squares_us2 += off_us * off_us;
  }
  store::TableBuilder& rows = out.table(stat::kTable);
  out.set_source_file(stat::kTable, file);
  for (const auto& [names, sum] : sums) {
    rows.append(stat::level, names.second);
    rows.append(stat::name, names.first);
    rows.append(stat::total_ns, sum.total_ns);
    rows.append(stat::count, sum.count);
    rows.append(stat::avg_ns, sum.avg_ns());
    rows.append(stat::min_ns, sum.min_ns);
    rows.append(stat::max_ns, sum.max_ns);
    rows.append(stat::variance_us2, sum.squares_us2 / static_cast<double>(sum.count));
    rows.append(stat::src_pos, sum.first_row);
    rows.end_row();
  }
}

}  // namespace stepwise::ingest
