#include "step_model.h"

#include <algorithm>

namespace stepwise::recsys_stages {
namespace {

using sdk::Call;

int32_t no_host_calls(Call& call) {
  sdk::JsonWriter w;
  w.begin_object().field("status", "not_applicable");
  w.field("why", "The profile has no framework operators or ranges of the host.").end_object();
  return call.emit(w);
}

int32_t unknown_step(Call& call, const Windows& windows, int64_t number) {
  const std::string known = list_numbers(windows, windows.chosen(std::nullopt));
  return call.fail(sdk::Fault::not_found, "step.unknown", "The profile has no step " + std::to_string(number) + ".",
                   windows.by_steps ? "It has: " + known + "." : "It has no steps at all; leave `step` out.");
}

}  // namespace

uint32_t StepModel::median_window() const {
  std::vector<uint32_t> by_time = chosen;
  std::stable_sort(by_time.begin(), by_time.end(),
                   [this](uint32_t a, uint32_t b) { return windows.all[a].wall_ns() < windows.all[b].wall_ns(); });
  return by_time[(by_time.size() - 1) / 2];
}

std::string StepModel::window_text() const {
  if (!windows.by_steps) return "the whole of the host's calls (the profile has no step annotation)";
  const std::string extent = "as ProfilerStep on the host";
  if (chosen.size() == 1) return "step " + list_numbers(windows, chosen) + ", " + extent;
  return "mean of " + std::to_string(chosen.size()) + " steps (" + list_numbers(windows, chosen) + "), each " + extent;
}

std::optional<StepModel> read_step_model(Call& call, WithDevice with_device, int32_t& returned) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) {
    returned = call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
    return std::nullopt;
  }
  const uint32_t rank = ranks.front();
  const auto host_ops = call.table(rank, table::host_op::kTable);
  if (!host_ops || host_ops->rows() == 0) {
    returned = no_host_calls(call);
    return std::nullopt;
  }
  const auto step = call.args().integer("step");
  StepModel model{rank, *host_ops, find_windows(call, rank, *host_ops), {}, step.has_value(), {}, {}, {}, false};
  if (model.windows.by_steps || !step) model.chosen = model.windows.chosen(step);
  if (call.cancelled()) {
    returned = call.emit(sdk::JsonWriter());
    return std::nullopt;
  }
  if (model.chosen.empty()) {
    returned = unknown_step(call, model.windows, step.value_or(0));
    return std::nullopt;
  }
  std::string why;
  const auto own = read_vocabulary(call.args().profile().declare["stage_keywords"], why);
  if (!own) {
    returned =
        call.fail(sdk::Fault::usage, "stages.keywords", "The declared stage_keywords cannot be used: " + why + ".",
                  "Declare lists of words by stage, as in {\"forward\": [\"tower\"]}.");
    return std::nullopt;
  }
  model.host = find_host_stages(call, model.host_ops, model.windows, *own);
  if (with_device == WithDevice::yes) {
    model.device = find_device_stages(call, rank, model.host_ops, model.windows, model.host);
  }
  model.waits = find_waits(call, rank, model.host_ops, model.windows, model.host);
  model.has_driver_calls = call.table(rank, table::runtime_api::kTable).has_value();
  return model;
}

}  // namespace stepwise::recsys_stages
