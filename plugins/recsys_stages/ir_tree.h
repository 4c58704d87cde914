// The framework calls of one step merged by path: calls of one name below the same path are one node.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "step_model.h"
#include "window_calls.h"

namespace stepwise::recsys_stages {

struct IrNode {
  std::string name;
  Stage stage = Stage::unclassified;  // that most of its time is in
  int64_t total_ns = 0, self_ns = 0, max_ns = 0;
  uint64_t count = 0;
  bool bottleneck = false;       // see kBottleneckShare, or it waits as long as blocks() says
  bool off_main = false;         // its outermost calls run on other threads than the main one
  std::vector<IrNode> children;  // most time first
  uint64_t left_out = 0;         // calls right below it that no child shows
  int64_t left_out_ns = 0;
};

/// A call is a bottleneck where it spends one in so many of the step's time in itself.
inline constexpr int64_t kBottleneckShare = 20;

struct IrLimits {
  int64_t depth = 0;        // levels below the root
  int64_t smallest_ns = 0;  // of a node's total
  size_t nodes = 0;         // with the root; those with most time
};

/// The root is the step itself: its children are the outermost calls of all threads, and what it spends in itself is
/// the main thread's time in no call.
class IrTree {
 public:
  IrTree(const sdk::Call& call, const StepModel& model, uint32_t window, const IrLimits& limits);
  ~IrTree();
  /// The nodes with most time, at least the root and at most this many.
  IrNode first(size_t nodes) const;
  size_t nodes() const;

 private:
  struct Group;
  struct Shown;
  std::vector<Group> groups_of(const Rows& rows, bool off_main) const;
  Shown show_step() const;
  Shown show(const Group& group, int64_t level) const;
  void grow(const IrLimits& limits);
  void place_wait(const Wait& wait);
  IrNode to_node(size_t index, size_t nodes) const;
  void judge(const Group& group, IrNode& node) const;

  const Sources sources_;
  const Window& window_;
  WindowCalls calls_;
  std::map<uint64_t, int64_t> wait_of_row_;  // the innermost call that holds a wait, or is one
  std::vector<Shown> shown_;                 // the root, then what takes most time
};

}  // namespace stepwise::recsys_stages
