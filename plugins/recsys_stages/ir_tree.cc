#include "ir_tree.h"

#include <algorithm>
#include <array>
#include <queue>
#include <utility>

namespace stepwise::recsys_stages {

// Calls of one name below the same path.
struct IrTree::Group {
  Rows rows;
  int64_t total_ns = 0;
  bool off_main = false;
  size_t shown_as = SIZE_MAX;  // index
};

// A group that the tree shows, with the groups below it.
struct IrTree::Shown {
  Group group;
  std::vector<Group> below;  // most time first
  std::vector<size_t> children;
  int64_t level = 0;
};

IrTree::IrTree(const sdk::Call& call, const StepModel& model, uint32_t window, const IrLimits& limits)
    : sources_(model.sources()), window_(model.windows.all[window]), calls_(call, sources_, window) {
  for (const Wait& wait : model.waits) {
    if (wait.window == window) place_wait(wait);
  }
  grow(limits);
}

IrTree::~IrTree() = default;

size_t IrTree::nodes() const { return shown_.size(); }

void IrTree::place_wait(const Wait& wait) {
  const auto holder = [this, &wait](const Rows& rows) -> const uint64_t* {
    const auto after = std::partition_point(
        rows.begin(), rows.end(), [this, &wait](uint64_t row) { return calls_.start_ns(row) <= wait.start_ns; });
    if (after == rows.begin()) return nullptr;
    const uint64_t* row = &*std::prev(after);
    return calls_.start_ns(*row) + calls_.dur_ns(*row) >= wait.end_ns ? row : nullptr;
  };
  for (const auto& [thread, rows] : calls_.outermost()) {
    if (thread.tid != wait.tid) continue;
    const uint64_t* innermost = nullptr;
    for (const uint64_t* row = holder(rows); row != nullptr; row = holder(calls_.inside(*row))) innermost = row;
    if (innermost == nullptr) continue;
    wait_of_row_[*innermost] += wait.dur_ns();
    return;
  }
}

std::vector<IrTree::Group> IrTree::groups_of(const Rows& rows, bool off_main) const {
  std::map<int32_t, size_t> index;
  std::vector<Group> groups;
  for (const uint64_t row : rows) {
    const auto [it, added] = index.try_emplace(calls_.name_code(row), groups.size());
    if (added) groups.emplace_back().off_main = off_main;
    groups[it->second].rows.push_back(row);
    groups[it->second].total_ns += calls_.dur_ns(row);
  }
  return groups;
}

IrTree::Shown IrTree::show_step() const {
  Rows on_main, elsewhere;
  for (const auto& [thread, rows] : calls_.outermost()) {
    Rows& of_kind = thread == window_.main ? on_main : elsewhere;
    of_kind.insert(of_kind.end(), rows.begin(), rows.end());
  }
  Shown step;
  step.below = groups_of(on_main, false);
  for (Group& group : groups_of(elsewhere, true)) step.below.push_back(std::move(group));
  step.group.total_ns = window_.wall_ns();
  return step;
}

IrTree::Shown IrTree::show(const Group& group, int64_t level) const {
  Rows inside;
  for (const uint64_t row : group.rows) {
    const Rows& of_row = calls_.inside(row);
    inside.insert(inside.end(), of_row.begin(), of_row.end());
  }
  Shown shown;
  shown.group = group;
  shown.below = groups_of(inside, group.off_main);
  shown.level = level;
  return shown;
}

void IrTree::grow(const IrLimits& limits) {
  // What takes most time comes first wherever it stands: a call never takes more than what it stands in.
  struct Candidate {
    int64_t total_ns;
    size_t parent, group;
    bool operator<(const Candidate& other) const {
      if (total_ns != other.total_ns) return total_ns < other.total_ns;
      return std::pair(parent, group) > std::pair(other.parent, other.group);
    }
  };
  std::priority_queue<Candidate> candidates;
  const auto add_candidates = [&](size_t parent) {
    if (shown_[parent].level >= limits.depth) return;
    for (size_t i = 0; i < shown_[parent].below.size(); ++i) {
      const int64_t total_ns = shown_[parent].below[i].total_ns;
      if (total_ns >= limits.smallest_ns) candidates.push({total_ns, parent, i});
    }
  };
  shown_.push_back(show_step());
  add_candidates(0);
  while (!candidates.empty() && shown_.size() < limits.nodes) {
    const Candidate next = candidates.top();
    candidates.pop();
    const size_t index = shown_.size();
    Group& group = shown_[next.parent].below[next.group];
    group.shown_as = index;
    shown_[next.parent].children.push_back(index);
    shown_.push_back(show(group, shown_[next.parent].level + 1));
    add_candidates(index);
  }
}

IrNode IrTree::first(size_t nodes) const {
  IrNode root = to_node(0, nodes);
  root.name = window_.number ? "ProfilerStep#" + std::to_string(*window_.number) : std::string("all calls");
  root.count = 1;
  root.max_ns = root.total_ns;
  return root;
}

IrNode IrTree::to_node(size_t index, size_t nodes) const {
  const Shown& of = shown_[index];
  IrNode node;
  node.total_ns = node.self_ns = of.group.total_ns;
  node.off_main = of.level == 1 && of.group.off_main;
  for (const Group& group : of.below) {
    // What other threads do takes the main thread no time.
    if (index != 0 || !group.off_main) node.self_ns -= group.total_ns;
    if (group.shown_as < nodes) continue;
    node.left_out += group.rows.size();
    node.left_out_ns += group.total_ns;
  }
  node.self_ns = std::max<int64_t>(node.self_ns, 0);  // calls that reach beyond what they start in
  judge(of.group, node);
  for (const size_t child : of.children) {
    if (child < nodes) node.children.push_back(to_node(child, nodes));
  }
  return node;
}

void IrTree::judge(const Group& group, IrNode& node) const {
  const HostStages& host = sources_.host;
  std::array<int64_t, kStages + 1> stage_ns{};
  int64_t wait_ns = 0;
  for (const uint64_t row : group.rows) {
    node.max_ns = std::max(node.max_ns, calls_.dur_ns(row));
    stage_ns[slot(host.stage_of_row(row))] += calls_.dur_ns(row);
    if (const auto it = wait_of_row_.find(row); it != wait_of_row_.end()) wait_ns += it->second;
  }
  node.count = group.rows.size();
  const int64_t step_ns = window_.wall_ns();
  node.bottleneck = (node.self_ns > 0 && node.self_ns >= (step_ns + kBottleneckShare - 1) / kBottleneckShare) ||
                    blocks(wait_ns, step_ns);
  if (group.rows.empty()) return;
  node.name = calls_.name(group.rows.front());
  const auto most = std::max_element(stage_ns.begin(), stage_ns.end());
  node.stage = *most > 0 ? static_cast<Stage>(most - stage_ns.begin()) : host.stage_of_row(group.rows.front());
}

}  // namespace stepwise::recsys_stages
