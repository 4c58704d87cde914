#include "call_tree.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;

constexpr size_t kMostChildren = 12;
constexpr size_t kMostThreads = 4;
constexpr int64_t kDepth = 3;     // where the caller does not say,
constexpr size_t kFewNodes = 30;  // and then a page is enough
constexpr size_t kMostNodes = 150;
constexpr int64_t kSmallestShare = 100;  // one in so many of the step's time

using Rows = std::vector<uint64_t>;

// Calls of the same name and stage that follow each other.
struct Run {
  Rows rows;
  int64_t total_ns = 0;
  bool decides = false;  // the stage of itself, below none that has one
};

class Builder {
 public:
  Builder(const Sources& sources, uint32_t window)
      : sources_(sources),
        index_(window),
        window_(sources.windows.all[window]),
        name_(sources.host_ops[host_op::name]),
        start_(sources.host_ops[host_op::start_ns]),
        dur_(sources.host_ops[host_op::dur_ns]),
        parent_(sources.host_ops[host_op::parent_id]),
        pid_(sources.host_ops[host_op::pid]),
        tid_(sources.host_ops[host_op::tid]),
        in_stages_(sources.host.threads.begin(), sources.host.threads.end()) {}

  void arrange(const sdk::Call& call) {
    first_ = first_row_from(window_.start_ns);
    const uint64_t end = first_row_from(window_.end_ns);
    children_.resize(end - first_);
    call.for_each_row(end - first_, [this](uint64_t i) { place(first_ + i); });
  }

  CallTree build(int64_t depth, int64_t share) {
    CallTree tree;
    smallest_ns_ = window_.wall_ns() / share;
    nodes_ = 1;
    tree.main.name = window_.number ? "ProfilerStep#" + std::to_string(*window_.number) : std::string("all calls");
    tree.main.total_ns = tree.main.max_ns = window_.wall_ns();
    tree.main.wait_ns = waits_in(window_.main.tid, window_.start_ns, window_.end_ns);
    on_main_ = true;
    add_children(tree.main, outermost_[window_.main], depth);
    on_main_ = false;
    for (const auto& [ns, thread] : busy_threads()) {
      if (tree.threads.size() == kMostThreads) {
        ++tree.threads_left_out;
        continue;
      }
      const Rows& rows = outermost_[thread];
      ++nodes_;
      Node& node = tree.threads.emplace_back();
      node.name = "thread " + std::to_string(thread.tid);
      node.offset_ns = start_[rows.front()] - window_.start_ns;
      node.total_ns = node.max_ns = ns;
      node.stage = main_stage(thread);
      for (const uint64_t row : rows) node.wait_ns += waits_in(row);
      add_children(node, rows, depth);
    }
    return tree;
  }

  size_t nodes() const { return nodes_; }

 private:
  uint64_t first_row_from(int64_t ns) const {
    uint64_t low = 0, high = sources_.host_ops.rows();
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      if (start_[middle] < ns) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void place(uint64_t row) {
    if (is_step_name(name_[row])) return;
    const auto parent = parent_.get(row);
    const bool inside = parent && *parent >= static_cast<int64_t>(first_) && *parent < static_cast<int64_t>(row) &&
                        !is_step_name(name_[static_cast<uint64_t>(*parent)]);
    if (inside) {
      children_[static_cast<uint64_t>(*parent) - first_].push_back(row);
    } else {
      outermost_[{pid_[row], tid_[row]}].push_back(row);
    }
  }

  // Threads but the main one that are in some stage, by the time of their outermost calls.
  std::vector<std::pair<int64_t, Thread>> busy_threads() const {
    std::vector<std::pair<int64_t, Thread>> out;
    for (const auto& [thread, rows] : outermost_) {
      if (thread == window_.main || !in_stages_.contains(thread)) continue;
      Intervals intervals;
      for (const uint64_t row : rows) intervals.push_back({start_[row], start_[row] + dur_[row]});
      out.emplace_back(total_ns(unite(std::move(intervals))), thread);
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    return out;
  }

  // What the thread spends most time in, in this step.
  Stage main_stage(const Thread& thread) const {
    const HostStages& host = sources_.host;
    const auto at = std::find(host.threads.begin(), host.threads.end(), thread) - host.threads.begin();
    std::array<int64_t, kStages> ns{};
    for (const Segment& segment : host.segments[static_cast<size_t>(at)]) {
      const Entry& entry = host.entries[segment.entry];
      if (entry.window == index_) ns[slot(entry.stage)] += segment.end_ns - segment.start_ns;
    }
    const auto most = std::max_element(ns.begin(), ns.end());
    return *most > 0 ? static_cast<Stage>(most - ns.begin()) : Stage::unclassified;
  }

  std::vector<Run> runs_of(const Rows& rows) const {
    std::vector<Run> runs;
    for (const uint64_t row : rows) {
      const uint64_t last = runs.empty() ? row : runs.back().rows.back();
      const bool same = !runs.empty() && name_.code(row) == name_.code(last) &&
                        sources_.host.stage_of_row(row) == sources_.host.stage_of_row(last);
      if (!same) runs.emplace_back();
      runs.back().rows.push_back(row);
      runs.back().total_ns += dur_[row];
      const uint32_t entry = sources_.host.entry_of_row[row];
      runs.back().decides =
          runs.back().decides || (entry != HostStages::kNone && sources_.host.entries[entry].row == row);
    }
    return runs;
  }

  void add_children(Node& node, const Rows& rows, int64_t depth) {
    const std::vector<Run> runs = runs_of(rows);
    std::vector<size_t> shown;
    for (size_t i = 0; i < runs.size() && depth > 0; ++i) {
      if (runs[i].total_ns >= smallest_ns_ || (on_main_ && runs[i].decides)) shown.push_back(i);
    }
    if (shown.size() > kMostChildren) {
      std::stable_sort(shown.begin(), shown.end(),
                       [&runs](size_t a, size_t b) { return runs[a].total_ns > runs[b].total_ns; });
      shown.resize(kMostChildren);
      std::sort(shown.begin(), shown.end());
    }
    std::map<std::string_view, int64_t> left_out;
    for (size_t i = 0, next = 0; i < runs.size(); ++i) {
      if (next < shown.size() && shown[next] == i) {
        ++next;
        node.children.push_back(make_node(runs[i], depth - 1));
      } else {
        node.left_out += runs[i].rows.size();
        node.left_out_ns += runs[i].total_ns;
        left_out[name_[runs[i].rows.front()]] += runs[i].total_ns;
      }
    }
    const auto most = std::max_element(left_out.begin(), left_out.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != left_out.end()) node.left_out_mostly = most->first;
  }

  Node make_node(const Run& run, int64_t depth) {
    ++nodes_;
    Node node;
    const uint64_t first = run.rows.front();
    node.name = name_[first];
    node.stage = sources_.host.stage_of_row(first);
    node.offset_ns = start_[first] - window_.start_ns;
    node.total_ns = run.total_ns;
    node.count = run.rows.size();
    Rows inner;
    for (const uint64_t row : run.rows) {
      node.max_ns = std::max(node.max_ns, dur_[row]);
      node.wait_ns += waits_in(row);
      const Rows& of_row = children_[row - first_];
      inner.insert(inner.end(), of_row.begin(), of_row.end());
    }
    add_children(node, inner, depth);
    return node;
  }

  int64_t waits_in(uint64_t row) const { return waits_in(tid_[row], start_[row], start_[row] + dur_[row]); }
  int64_t waits_in(int64_t tid, int64_t start_ns, int64_t end_ns) const {
    const std::vector<Wait>& waits = sources_.waits;
    auto it = std::partition_point(waits.begin(), waits.end(), [&](const Wait& wait) {
      return wait.tid < tid || (wait.tid == tid && wait.end_ns <= start_ns);
    });
    int64_t ns = 0;
    for (; it != waits.end() && it->tid == tid && it->start_ns < end_ns; ++it) {
      ns += std::min(it->end_ns, end_ns) - std::max(it->start_ns, start_ns);
    }
    return ns;
  }

  const Sources& sources_;
  const uint32_t index_;  // of the window
  const Window& window_;
  sdk::Column<table::Type::code> name_;
  sdk::Column<table::Type::i64> start_, dur_, parent_, pid_, tid_;
  std::set<Thread> in_stages_;
  uint64_t first_ = 0;          // row of the window's first call
  std::vector<Rows> children_;  // by row - first_
  std::map<Thread, Rows> outermost_;
  int64_t smallest_ns_ = 0;
  bool on_main_ = false;  // there every stage is shown, however short
  size_t nodes_ = 0;
};

}  // namespace

CallTree build_call_tree(const sdk::Call& call, const Sources& sources, uint32_t window, std::optional<int64_t> depth) {
  const size_t most_nodes = depth ? kMostNodes : kFewNodes;
  Builder builder(sources, window);
  builder.arrange(call);
  for (int64_t share = kSmallestShare;; share /= 2) {
    CallTree tree = builder.build(depth.value_or(kDepth), std::max<int64_t>(share, 1));
    if (builder.nodes() <= most_nodes || share <= 1) return tree;
  }
}

}  // namespace stepwise::recsys_stages
