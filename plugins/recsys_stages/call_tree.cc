#include "call_tree.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "window_calls.h"

namespace stepwise::recsys_stages {
namespace {

constexpr size_t kMostChildren = 12;
constexpr size_t kMostThreads = 4;
constexpr int64_t kDepth = 3;     // where the caller does not say,
constexpr size_t kFewNodes = 16;  // and then a page is enough
constexpr size_t kMostNodes = 150;
constexpr int64_t kSmallestShare = 100;  // one in so many of the step's time

// Calls of the same name and stage that follow each other.
struct Run {
  Rows rows;
  int64_t total_ns = 0;
  bool decides = false;  // the stage of itself, below none that has one
};

class Builder {
 public:
  Builder(const sdk::Call& call, const Sources& sources, uint32_t window)
      : sources_(sources),
        index_(window),
        window_(sources.windows.all[window]),
        calls_(call, sources, window),
        in_stages_(sources.host.threads.begin(), sources.host.threads.end()) {}

  CallTree build(int64_t depth, int64_t share) {
    CallTree tree;
    smallest_ns_ = window_.wall_ns() / share;
    nodes_ = 1;
    tree.main.name = window_.number ? "ProfilerStep#" + std::to_string(*window_.number) : std::string("all calls");
    tree.main.total_ns = tree.main.max_ns = window_.wall_ns();
    tree.main.wait_ns = waits_in(window_.main.tid, window_.start_ns, window_.end_ns);
    on_main_ = true;
    add_children(tree.main, outermost_of(window_.main), depth);
    on_main_ = false;
    for (const auto& [ns, thread] : busy_threads()) {
      if (tree.threads.size() == kMostThreads) {
        ++tree.threads_left_out;
        continue;
      }
      const Rows& rows = outermost_of(thread);
      ++nodes_;
      Node& node = tree.threads.emplace_back();
      node.name = "thread " + std::to_string(thread.tid);
      node.offset_ns = calls_.start_ns(rows.front()) - window_.start_ns;
      node.total_ns = node.max_ns = ns;
      node.stage = main_stage(thread);
      for (const uint64_t row : rows) node.wait_ns += waits_in(row);
      add_children(node, rows, depth);
    }
    return tree;
  }

  size_t nodes() const { return nodes_; }

 private:
  const Rows& outermost_of(const Thread& thread) const {
    static const Rows kNone;
    const auto it = calls_.outermost().find(thread);
    return it == calls_.outermost().end() ? kNone : it->second;
  }

  // Threads but the main one that are in some stage, by the time of their outermost calls.
  std::vector<std::pair<int64_t, Thread>> busy_threads() const {
    std::vector<std::pair<int64_t, Thread>> out;
    for (const auto& [thread, rows] : calls_.outermost()) {
      if (thread == window_.main || !in_stages_.contains(thread)) continue;
      Intervals intervals;
      for (const uint64_t row : rows)
        intervals.push_back({calls_.start_ns(row), calls_.start_ns(row) + calls_.dur_ns(row)});
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
      const bool same = !runs.empty() && calls_.name_code(row) == calls_.name_code(last) &&
                        sources_.host.stage_of_row(row) == sources_.host.stage_of_row(last);
      if (!same) runs.emplace_back();
      runs.back().rows.push_back(row);
      runs.back().total_ns += calls_.dur_ns(row);
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
        left_out[calls_.name(runs[i].rows.front())] += runs[i].total_ns;
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
    node.name = calls_.name(first);
    node.stage = sources_.host.stage_of_row(first);
    node.offset_ns = calls_.start_ns(first) - window_.start_ns;
    node.total_ns = run.total_ns;
    node.count = run.rows.size();
    Rows inner;
    for (const uint64_t row : run.rows) {
      node.max_ns = std::max(node.max_ns, calls_.dur_ns(row));
      node.wait_ns += waits_in(row);
      const Rows& of_row = calls_.inside(row);
      inner.insert(inner.end(), of_row.begin(), of_row.end());
    }
    add_children(node, inner, depth);
    return node;
  }

  int64_t waits_in(uint64_t row) const {
    return waits_in(calls_.tid(row), calls_.start_ns(row), calls_.start_ns(row) + calls_.dur_ns(row));
  }
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
  WindowCalls calls_;
  std::set<Thread> in_stages_;
  int64_t smallest_ns_ = 0;
  bool on_main_ = false;  // there every stage is shown, however short
  size_t nodes_ = 0;
};

}  // namespace

CallTree build_call_tree(const sdk::Call& call, const Sources& sources, uint32_t window, std::optional<int64_t> depth) {
  const size_t most_nodes = depth ? kMostNodes : kFewNodes;
  Builder builder(call, sources, window);
  for (int64_t share = kSmallestShare;; share /= 2) {
    CallTree tree = builder.build(depth.value_or(kDepth), std::max<int64_t>(share, 1));
    if (builder.nodes() <= most_nodes || share <= 1) return tree;
  }
}

}  // namespace stepwise::recsys_stages
