#include <algorithm>
#include <string>

#include "breakdown_json.h"
#include "recsys_stages.h"

namespace stepwise::recsys_stages {
namespace {

using sdk::Call;

int32_t unknown_step(Call& call, const Windows& windows, int64_t number) {
  const std::string known = list_numbers(windows, windows.chosen(std::nullopt));
  return call.fail(sdk::Fault::not_found, "step.unknown", "The profile has no step " + std::to_string(number) + ".",
                   windows.by_steps ? "It has: " + known + "." : "It has no steps at all; leave `step` out.");
}

// The tree is of one real step, not of a mean: that with the median time.
uint32_t median_window(const Windows& windows, std::vector<uint32_t> chosen) {
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&windows](uint32_t a, uint32_t b) { return windows.all[a].wall_ns() < windows.all[b].wall_ns(); });
  return chosen[(chosen.size() - 1) / 2];
}

}  // namespace

int32_t stage_breakdown(Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  const uint32_t rank = ranks.front();
  const auto host_ops = call.table(rank, table::host_op::kTable);
  if (!host_ops || host_ops->rows() == 0) {
    sdk::JsonWriter w;
    w.begin_object().field("status", "not_applicable");
    w.field("why", "The profile has no framework operators or ranges of the host.").end_object();
    return call.emit(w);
  }
  const Windows windows = find_windows(call, rank, *host_ops);
  const auto step = call.args().integer("step");
  const std::vector<uint32_t> chosen = windows.by_steps || !step ? windows.chosen(step) : std::vector<uint32_t>();
  if (chosen.empty() && !call.cancelled()) return unknown_step(call, windows, step.value_or(0));
  if (call.cancelled()) return call.emit(sdk::JsonWriter());

  const HostStages host = find_host_stages(call, *host_ops, windows);
  const DeviceStages device = find_device_stages(call, rank, *host_ops, windows, host);
  const std::vector<Wait> waits = find_waits(call, rank, *host_ops, windows, host);
  const Sources sources{*host_ops, windows, host, device, waits};
  Answer answer{sources,
                break_down(call, sources, chosen),
                {},
                median_window(windows, chosen),
                rank,
                step.has_value(),
                call.table(rank, table::runtime_api::kTable).has_value()};
  answer.tree = build_call_tree(call, sources, answer.tree_window, call.args().integer("depth"));
  sdk::JsonWriter w;
  write_answer(w, answer);
  return call.emit(w);
}

}  // namespace stepwise::recsys_stages
