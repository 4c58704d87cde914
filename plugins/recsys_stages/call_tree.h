// The call chain of one step: what its threads called, in time order, each call with its stage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "breakdown.h"

namespace stepwise::recsys_stages {

/// A call, or several of the same name and stage that follow each other.
struct Node {
  std::string name;
  Stage stage = Stage::unclassified;
  int64_t offset_ns = 0;  // of the first, from the step's start
  int64_t total_ns = 0, max_ns = 0;
  uint64_t count = 1;
  int64_t wait_ns = 0;  // waits in it, on its thread
  std::vector<Node> children;
  uint64_t left_out = 0;  // children that are not shown
  int64_t left_out_ns = 0;
  std::string left_out_mostly;  // name that most of that time is of
};

struct CallTree {
  Node main;                  // the step itself
  std::vector<Node> threads;  // other threads that are in some stage in the step, most time first
  uint64_t threads_left_out = 0;
};

/// Shows `depth` levels below each thread, and of the children of a call the longest: those of at least 1 % of the
/// step, or of more where the tree would be large, and on the main thread those that decide a stage. Without a depth 3
/// levels on about a page.
CallTree build_call_tree(const sdk::Call& call, const Sources& sources, uint32_t window, std::optional<int64_t> depth);

}  // namespace stepwise::recsys_stages
