// Inference with a compiled graph, iteration by iteration: what the host calls and what the device runs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "clients/example/facts.h"
#include "clients/example/infer_graph.h"

namespace stepwise::example {

struct InferCall {
  std::string_view level, api;
  std::string_view layer;  // as the timeline says before '@'
  std::string_view mode;
  int64_t start_ns = 0, end_ns = 0, connection = 0;
};

/// The calls of an iteration, outer ones first; those of the runtime lie within those of the model, and all within
/// acl's.
enum InferCallPlace {
  kExecute,
  kInputCopy,
  kInputMemcpy,
  kModelExecute,
  kLaunch,
  kSynchronize,
  kOutputCopy,
  kOutputMemcpy
};
inline constexpr int kInferCalls = 8;

struct InferKernel {
  int node = 0;
  int64_t start_ns = 0, end_ns = 0, task_id = 0;
};

struct InferIteration {
  int64_t number = 0;  // from 1
  std::array<InferCall, kInferCalls> calls;
  std::vector<InferKernel> kernels;  // by start; never empty

  /// GE's iteration: as long as the model executes.
  int64_t start_ns() const { return calls[kModelExecute].start_ns; }
  int64_t end_ns() const { return calls[kModelExecute].end_ns; }
};

/// Tells each iteration of one device in turn. Repeating it tells the same.
void run_inference(const Facts& facts, const InferGraph& graph, int device,
                   const std::function<void(const InferIteration&)>& tell);

inline constexpr int kInferStream = 3;
inline constexpr int64_t kInferModelId = 1;
inline constexpr std::string_view kInferModelName = "recsys_ctr";

}  // namespace stepwise::example
