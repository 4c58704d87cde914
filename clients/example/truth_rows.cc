#include "clients/example/truth_rows.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/decimal.h"

namespace stepwise::example {
namespace {

template <class Key, class Name>
Json operator_rows(const std::map<Key, DurationSum>& sums, Name name_row) {
  int64_t all_ns = 0;
  std::vector<std::pair<Key, DurationSum>> ranked(sums.begin(), sums.end());
  for (const auto& [key, sum] : ranked) all_ns += sum.total_ns;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second.total_ns > b.second.total_ns; });
  Json rows = Json::array();
  for (const auto& [key, sum] : ranked) {
    Json row = name_row(key);
    row["count"] = sum.count;
    row["total_us"] = ns_to_us(sum.total_ns);
    row["max_us"] = ns_to_us(sum.max_ns);
    row["avg_us"] = ns_to_us(sum.total_ns) / static_cast<double>(sum.count);
    row["ratio"] = static_cast<double>(sum.total_ns) / static_cast<double>(all_ns);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Json true_top_operators(const TypeSums& by_type, const NameSums& by_name) {
  int64_t total_ns = 0, count = 0;
  for (const auto& [key, sum] : by_type) {
    total_ns += sum.total_ns;
    count += sum.count;
  }
  return {{"by_type", operator_rows(by_type,
                                    [](const auto& key) {
                                      return Json{{"op_type", key.first}, {"core_type", csv_core(key.second)}};
                                    })},
          {"by_name", operator_rows(by_name,
                                    [](const auto& key) {
                                      return Json{{"name", key.first}, {"op_type", key.second}};
                                    })},
          {"total_us", ns_to_us(total_ns)},
          {"count", count}};
}

Json true_host_api(const ApiSums& by_api) {
  Json rows = Json::array();
  for (const auto& [key, sum] : by_api) {
    rows.push_back({{"name", key.first},
                    {"level", key.second},
                    {"count", sum.count},
                    {"total_us", ns_to_us(sum.total_ns)},
                    {"max_us", ns_to_us(sum.max_ns)}});
  }
  return {{"rows", std::move(rows)}};
}

Json true_options(const ExampleOptions& options) {
  return {{"kind", options.kind},   {"export", options.export_form}, {"events", options.events},
          {"ranks", options.ranks}, {"steps", options.steps},        {"seed", options.seed}};
}

}  // namespace stepwise::example
