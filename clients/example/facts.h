// What is so about a run, decided before anything is simulated: the part of the truth that tools have to find out.
#pragma once

#include <cstdint>

#include "clients/example/example.h"
#include "clients/example/kind.h"

namespace stepwise::example {

/// Of a recommendation model's training.
struct RecsysFacts {
  int tables = 0;  // embedding tables on each rank
  int64_t batch_size = 0;
  int64_t dense_dim = 0, embedding_dim = 0;
  int prefetch_depth = 0;                  // steps by which an embedding fetch runs ahead; 0 = the step's own
  bool preprocess_overlaps_fetch = false;  // on its own thread from the step's start, else after the preprocessing
  bool updates_overlap = false;            // embedding update on its own thread beside the dense one

  /// The fetch of the current step runs on a thread of its own (else on the main thread).
  bool fetch_has_thread() const { return prefetch_depth > 0 || preprocess_overlaps_fetch; }
};

/// Of a language model's training: ranks are numbered by tensor share, then by
/// pipeline stage, then by replica, so that four ranks are one replica. The first two are always of two.
struct LlmFacts {
  int tensor = 2, pipeline = 2, data = 2;
  int micro_batches = 2;  // of a step; all forward passes come before all backward passes
  int64_t hidden = 0, heads = 0, sequence = 0, vocabulary = 0;
};

/// Of a recommendation model's inference with a compiled graph.
struct InferFacts {
  int fields = 0;  // categorical inputs, each with its own table
  int64_t batch_size = 0, ids_per_sample = 0, embedding_dim = 0, width = 0;
  int64_t input_copy_ns = 0, output_copy_ns = 0;  // of one iteration, typically
  int64_t pause_ns = 0;                           // between iterations
  int64_t compile_ns = 0;                         // what the first iteration takes longer
};

struct Facts {
  ExampleKind kind = ExampleKind::recsys_train;
  Export form = Export::text;
  uint64_t seed = 0;
  int ranks = 0;       // with files
  int world_size = 0;  // at least 2: a single collected rank still talks to a peer
  int steps = 0;
  int64_t first_step = 0;  // the number of the first ProfilerStep
  int64_t origin_ns = 0;   // Unix ns at which the host's timelines begin

  int blocks = 1;            // layers of each rank's model: what --events buys
  int buckets = 0;           // gradient all-reduces a step
  int64_t host_node_ns = 0;  // host cost of one framework call level: small = device bound, large = host bound

  int late_rank = -1;                // -1: none (a single rank)
  int64_t late_ns = 0;               // what it spends more in its data loader in each step
  int slow_src = -1, slow_dst = -1;  // the link that is slower than its like; -1: none (two ranks compare nothing)
  int slow_percent = 100;            // its bandwidth, of the other links'
  int stall_step = 0;                // index of the step in which every data loader stalls
  int64_t stall_ns = 0;
  bool shapes_vary = false;     // the number of distinct ids differs from step to step
  bool dynamic_kernels = true;  // OP State says dynamic (precompiled for any shape), else static

  RecsysFacts recsys;
  LlmFacts llm;
  InferFacts infer;
};

/// Everything but `blocks` (and `buckets`, which follows from it); options are already checked.
Facts draw_facts(const ExampleOptions& options);
/// Sets the number of layers and what depends on it.
void set_blocks(Facts& facts, int blocks);

}  // namespace stepwise::example
