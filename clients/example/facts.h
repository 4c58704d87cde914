// What is so about a run, decided before anything is simulated: the part of the truth that tools have to find out.
#pragma once

#include <cstdint>

#include "clients/example/example.h"

namespace stepwise::example {

struct Facts {
  uint64_t seed = 0;
  int ranks = 0;       // with files
  int world_size = 0;  // at least 2: a single collected rank still talks to a peer
  int steps = 0;
  int64_t first_step = 0;  // the number of the first ProfilerStep
  int64_t origin_ns = 0;   // Unix ns at which the host's timelines begin

  int blocks = 1;   // dense layers: what --events buys
  int buckets = 0;  // gradient all-reduces a step
  int tables = 0;   // embedding tables on each rank
  int64_t batch_size = 0;
  int64_t dense_dim = 0, embedding_dim = 0;
  int64_t host_node_ns = 0;  // host cost of one framework call level: small = device bound, large = host bound

  int prefetch_depth = 0;                  // steps by which an embedding fetch runs ahead; 0 = the step's own
  bool preprocess_overlaps_fetch = false;  // on its own thread from the step's start, else after the preprocessing
  bool updates_overlap = false;            // embedding update on its own thread beside the dense one

  int late_rank = -1;   // -1: none (a single rank)
  int64_t late_ns = 0;  // what it spends more in its data loader in each step
  int stall_step = 0;   // index of the step in which every data loader stalls
  int64_t stall_ns = 0;
  bool shapes_vary = false;     // the number of distinct ids differs from step to step
  bool dynamic_kernels = true;  // OP State says dynamic (precompiled for any shape), else static
};

/// Everything but `blocks` (and `buckets`, which follows from it); options are already checked.
Facts draw_facts(const ExampleOptions& options);
/// Sets the number of dense layers and what depends on it.
void set_blocks(Facts& facts, int blocks);

/// The fetch of the current step runs on a thread of its own (else on the main thread).
inline bool fetch_has_thread(const Facts& facts) { return facts.prefetch_depth > 0 || facts.preprocess_overlaps_fetch; }

}  // namespace stepwise::example
