#include "breakdown_json.h"

#include <algorithm>

#include "evidence.h"

namespace stepwise::recsys_stages {
namespace {

using sdk::JsonWriter;

constexpr size_t kShownWaits = 3;
constexpr size_t kShownCalls = 5;

std::optional<double> ratio(int64_t part, int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> device_us(const Answer& answer, size_t stage) {
  if (answer.sources.device.how == DeviceStages::How::none) return std::nullopt;
  return answer.breakdown.us(answer.breakdown.stages[stage].device_ns);
}

double per_step(const Answer& answer, uint64_t count) {
  return static_cast<double>(count) / static_cast<double>(answer.breakdown.windows.size());
}

// Stages that are there, most time on the main thread first.
std::vector<size_t> ranked_stages(const Breakdown& breakdown) {
  std::vector<size_t> out;
  for (size_t stage = 0; stage < kStages; ++stage) {
    if (breakdown.stages[stage].present) out.push_back(stage);
  }
  std::stable_sort(out.begin(), out.end(), [&breakdown](size_t a, size_t b) {
    return breakdown.stages[a].wall_ns > breakdown.stages[b].wall_ns;
  });
  return out;
}

void write_waits(JsonWriter& w, const Answer& answer, const StageSum& sum) {
  w.field("blocking", sum.blocking).field("wait_us", answer.breakdown.us(sum.wait_ns));
  w.key("waits").begin_array();
  for (size_t i = 0; i < sum.waits.size() && i < kShownWaits; ++i) {
    const WaitSum& wait = sum.waits[i];
    w.begin_object().field("name", wait.name).field("us", answer.breakdown.us(wait.total_ns));
    w.field("max_us", us_of(wait.max_ns)).field("per_step", per_step(answer, wait.count)).end_object();
  }
  w.end_array();
}

void write_rows(JsonWriter& w, const Answer& answer, const Evidence& evidence) {
  const Breakdown& breakdown = answer.breakdown;
  const std::vector<size_t> ranked = ranked_stages(breakdown);
  w.key("rows").begin_array();
  for (const size_t stage : ranked) {
    const StageSum& sum = breakdown.stages[stage];
    w.begin_object().field("stage", kStageNames[stage]);
    w.field("wall_us", breakdown.us(sum.wall_ns)).field("ratio", ratio(sum.wall_ns, breakdown.wall_ns));
    w.field("exclusive_us", breakdown.us(sum.exclusive_ns));
    w.field("all_threads_us", breakdown.us(sum.all_threads_ns)).field("device_us", device_us(answer, stage));
    write_waits(w, answer, sum);
    w.key("evidence").begin_array();
    for (const std::string& id : evidence.of_stage[stage]) w.value(id);
    w.end_array().end_object();
  }
  w.end_array().field("total_rows", ranked.size());
}

void write_unclassified(JsonWriter& w, const Answer& answer) {
  const Breakdown& breakdown = answer.breakdown;
  const StageSum& sum = breakdown.stages[kStages];
  w.field("unclassified_us", breakdown.us(sum.wall_ns));
  w.field("coverage_ratio", ratio(breakdown.classified_ns(), breakdown.wall_ns));
  w.key("unclassified").begin_object().field("no_call_us", breakdown.us(breakdown.no_call_ns));
  w.field("device_us", device_us(answer, kStages));
  write_waits(w, answer, sum);
  w.key("calls").begin_array();
  for (size_t i = 0; i < breakdown.others.size() && i < kShownCalls; ++i) {
    const OtherCall& other = breakdown.others[i];
    w.begin_object().field("name", other.name).field("us", breakdown.us(other.ns));
    w.field("per_step", per_step(answer, other.count)).end_object();
  }
  w.end_array().end_object();
}

enum class NodeKind { step, thread, call };

void write_node(JsonWriter& w, const Node& node, int64_t step_ns, NodeKind kind) {
  w.begin_object().field("name", node.name);
  if (kind != NodeKind::step) w.field("stage", stage_name(node.stage));
  w.field("offset_us", us_of(node.offset_ns))
      .field("us", us_of(node.total_ns))
      .field("ratio", ratio(node.total_ns, step_ns));
  w.field("count", node.count);
  if (node.count > 1) w.field("max_us", us_of(node.max_ns));
  if (node.wait_ns > 0) w.field("wait_us", us_of(node.wait_ns));
  if (kind == NodeKind::call && blocks(node.wait_ns, step_ns)) w.field("blocking", true);
  if (!node.children.empty()) {
    w.key("children").begin_array();
    for (const Node& child : node.children) write_node(w, child, step_ns, NodeKind::call);
    w.end_array();
  }
  if (node.left_out > 0) {
    w.key("left_out").begin_object().field("count", node.left_out).field("us", us_of(node.left_out_ns));
    w.field("mostly", node.left_out_mostly).end_object();
  }
  w.end_object();
}

void write_tree(JsonWriter& w, const Answer& answer) {
  const Window& window = answer.sources.windows.all[answer.tree_window];
  w.field("tree_step", window.number);
  w.key("tree").begin_array();
  write_node(w, answer.tree.main, window.wall_ns(), NodeKind::step);
  for (const Node& thread : answer.tree.threads) write_node(w, thread, window.wall_ns(), NodeKind::thread);
  w.end_array();
}

void write_metrics(JsonWriter& w, const Breakdown& breakdown) {
  w.key("metrics").begin_object();
  w.field("stage.coverage_ratio", ratio(breakdown.classified_ns(), breakdown.wall_ns));
  for (size_t stage = 0; stage < kStages; ++stage) {
    if (!breakdown.stages[stage].present) continue;
    w.field("stage." + std::string(kStageNames[stage]) + "_ratio",
            ratio(breakdown.stages[stage].wall_ns, breakdown.wall_ns));
  }
  w.end_object();
}

void write_evidence(JsonWriter& w, const Evidence& evidence) {
  w.key("evidence").begin_array();
  for (const auto& item : evidence.items) {
    w.begin_object().field("id", item.id).field("file", item.file).field("row", item.row).field("says", item.says);
    w.end_object();
  }
  w.end_array();
}

void write_missing(JsonWriter& w, const Answer& answer) {
  const std::string file(answer.sources.host_ops.source_file());
  w.key("missing").begin_array();
  const auto miss = [&w](const std::string& input, const char* costs) {
    w.begin_object().field("input", input).field("costs", costs).end_object();
  };
  if (answer.sources.device.how == DeviceStages::How::none) {
    miss(file + ": links from host calls to device work", "no device_us");
  } else if (answer.sources.device.how == DeviceStages::How::time) {
    miss(file + ": links from host calls to device work", "device_us follows what the host did when the work ran");
  }
  if (!answer.model.has_driver_calls) {
    miss(file + ": calls of the driver", "waits are known of framework calls and ranges only");
  }
  w.end_array();
}

}  // namespace

void write_answer(JsonWriter& w, const Answer& answer) {
  const Evidence evidence = collect_evidence(answer);
  w.begin_object().field("window", answer.model.window_text()).field("steps", answer.breakdown.windows.size());
  w.field("step_us", answer.breakdown.us(answer.breakdown.wall_ns));
  write_rows(w, answer, evidence);
  write_unclassified(w, answer);
  write_tree(w, answer);
  write_metrics(w, answer.breakdown);
  write_evidence(w, evidence);
  write_missing(w, answer);
  write_warnings(w, answer);
  write_next(w, answer);
  w.end_object();
}

}  // namespace stepwise::recsys_stages
