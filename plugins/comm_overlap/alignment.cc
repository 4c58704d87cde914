#include "alignment.h"

#include <algorithm>

namespace stepwise::comm_overlap {
namespace {

namespace api_stat = table::api_stat;
namespace host_op = table::host_op;
using sdk::Call;
using sdk::Value;

std::string arguments_of(const Answer& answer) {
  sdk::JsonWriter w;
  w.begin_object().key("spans").begin_array();
  for (const SpanRow& row : answer.rows) {
    w.begin_array().value(row.span.when.start_ns).value(row.span.when.end_ns).end_array();
  }
  w.end_array();
  if (answer.step) w.field("of_step", *answer.step);
  w.end_object();
  return w.str();
}

std::vector<SyncSource> sources_of(const Value& list) {
  std::vector<SyncSource> out;
  for (size_t i = 0; i < list.size(); ++i) {
    const Value one = list.at(i);
    out.push_back({one["api"].text().value_or(""), one["side"].text().value_or(""), one["stage"].text(),
                   one["count"].integer().value_or(0), one["total_us"].number().value_or(0), one["max_us"].number()});
  }
  return out;
}

std::optional<std::vector<SyncSource>> sources_of_statistic(Call& call, uint32_t rank) {
  const auto view = call.table(rank, api_stat::kTable);
  if (!view) return std::nullopt;
  std::vector<SyncSource> out;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    const std::string_view name = (*view)[api_stat::name][row];
    if (name.find("Synchronize") == std::string_view::npos) return;
    out.push_back({std::string(name), "host", std::nullopt, (*view)[api_stat::count][row],
                   static_cast<double>((*view)[api_stat::total_ns][row]) / 1000.0, std::nullopt});
  });
  std::stable_sort(out.begin(), out.end(),
                   [](const SyncSource& a, const SyncSource& b) { return a.total_us > b.total_us; });
  return out;
}

}  // namespace

bool align_with_stages(Call& call, Answer& answer) {
  const auto host_ops = call.table(answer.rank, host_op::kTable);
  if (!host_ops || host_ops->rows() == 0) {
    // The statistic is of the whole run.
    if (!answer.step) answer.sync_sources = sources_of_statistic(call, answer.rank);
    return !call.cancelled();
  }
  const auto stages = call.call_tool("stage_alignment", arguments_of(answer));
  if (!stages) return false;
  for (size_t i = 0; i < answer.rows.size(); ++i) {
    answer.rows[i].stage = (*stages)["stages"].at(i)["stage"].text();
    answer.rows[i].stage_by_time = (*stages)["stages"].at(i)["stage_by_time"].text();
  }
  if ((*stages)["sync_sources"].is_array()) answer.sync_sources = sources_of((*stages)["sync_sources"]);
  answer.device_wait_us = (*stages)["device_wait_us"].number();
  answer.stages_by_time = (*stages)["how"].text() == "time";
  return true;
}

}  // namespace stepwise::comm_overlap
