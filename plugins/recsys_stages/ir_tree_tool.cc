#include <algorithm>
#include <cmath>

#include "ir_tree.h"
#include "recsys_stages.h"
#include "stepwise/short_names.hpp"

namespace stepwise::recsys_stages {
namespace {

using sdk::JsonWriter;

// Without arguments the tree is small enough to be read at once; with them it is as large as they say.
constexpr int64_t kDepth = 8;
constexpr double kSmallestRatio = 0.01;
constexpr size_t kFewNodes = 40, kMostNodes = 1000;
constexpr size_t kFewChars = 6'400;
constexpr int64_t kDeepest = 32;
constexpr size_t kNameColumns = 100;  // a template's name may be longer than everything else together

// Names that stand beside each other stay different, however they are shortened.
std::vector<std::string> names_of(const std::vector<IrNode>& nodes) {
  std::vector<std::string_view> whole;
  for (const IrNode& node : nodes) whole.push_back(node.name);
  return short_names(whole, kNameColumns);
}

void write_node(JsonWriter& w, const IrNode& node, const std::string& name, bool is_root) {
  w.begin_object().field("name", name).field("total_us", us_of(node.total_ns));
  w.field("self_us", us_of(node.self_ns)).field("count", node.count);
  w.field("avg_us",
          static_cast<double>(node.total_ns) / (1000.0 * static_cast<double>(std::max<uint64_t>(node.count, 1))));
  w.field("max_us", us_of(node.max_ns));
  if (!is_root) w.field("stage", stage_name(node.stage));
  w.field("bottleneck", node.bottleneck);
  if (node.off_main) w.field("off_main", true);
  if (!node.children.empty() || node.left_out > 0) {
    w.key("children").begin_array();
    const std::vector<std::string> names = names_of(node.children);
    for (size_t i = 0; i < names.size(); ++i) write_node(w, node.children[i], names[i], false);
    if (node.left_out > 0) {
      w.begin_object().field("name", "other").field("total_us", us_of(node.left_out_ns));
      w.field("count", node.left_out).end_object();
    }
    w.end_array();
  }
  w.end_object();
}

std::string written(const IrNode& root) {
  JsonWriter w;
  write_node(w, root, root.name, true);
  return w.str();
}

IrNode tree_of(const sdk::Call& call, const StepModel& model, uint32_t window) {
  const auto depth = call.args().integer("max_depth");
  const auto ratio = call.args().number("min_ratio");
  const auto limit = call.args().integer("limit");
  const bool small = !depth && !ratio && !limit;
  IrLimits limits;
  limits.depth = std::clamp<int64_t>(depth.value_or(kDepth), 1, kDeepest);
  limits.smallest_ns = static_cast<int64_t>(std::ceil(std::clamp(ratio.value_or(kSmallestRatio), 0.0, 1.0) *
                                                      static_cast<double>(model.windows.all[window].wall_ns())));
  limits.nodes = small ? kFewNodes : kMostNodes;
  if (limit) limits.nodes = std::min(static_cast<size_t>(std::max<int64_t>(*limit, 1)) + 1, kMostNodes);
  const IrTree tree(call, model, window, limits);
  IrNode root = tree.first(tree.nodes());
  for (size_t nodes = tree.nodes(); small && nodes > 1 && written(root).size() > kFewChars;) root = tree.first(--nodes);
  return root;
}

size_t count_bottlenecks(const IrNode& node) {
  size_t count = node.bottleneck ? 1 : 0;
  for (const IrNode& child : node.children) count += count_bottlenecks(child);
  return count;
}

}  // namespace

int32_t ir_tree(sdk::Call& call) {
  int32_t returned = 0;
  const auto model = read_step_model(call, WithDevice::no, returned);
  if (!model) return returned;
  const uint32_t window = model->median_window();
  const Window& step = model->windows.all[window];
  const IrNode root = tree_of(call, *model, window);

  JsonWriter w;
  w.begin_object();
  w.field("window", step.number ? "step " + std::to_string(*step.number) + ", as ProfilerStep on the host"
                                : model->window_text());
  w.field("step_us", us_of(step.wall_ns())).field("bottlenecks", count_bottlenecks(root));
  w.key("tree").begin_array();
  write_node(w, root, root.name, true);
  w.end_array();
  w.key("evidence").begin_array().begin_object().field("id", "e1");
  w.field("file", model->host_ops.source_file());
  if (step.number) w.field("row", step.src_pos);
  w.field("says", root.name + ": " + std::to_string(step.wall_ns()) + " ns of host time").end_object().end_array();
  w.key("warnings").begin_array();
  if (!model->windows.by_steps) {
    w.begin_object().field("code", "stages.no_steps");
    w.field("text", "The profile has no ProfilerStep: all calls of the host are one window.").end_object();
  }
  w.end_array();
  w.key("next").begin_array().begin_object().field("tool", "stage_breakdown").key("arguments").begin_object();
  if (model->rank != 0) w.field("rank", model->rank);
  if (step.number) w.field("step", *step.number);
  w.end_object().field("why", "the same step by its stages, in time order").end_object().end_array();
  w.end_object();
  return call.emit(w);
}

}  // namespace stepwise::recsys_stages
