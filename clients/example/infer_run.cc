#include "clients/example/infer_run.h"

#include <algorithm>

#include "clients/example/random.h"

namespace stepwise::example {
namespace {

class Device {
 public:
  Device(const Facts& facts, const InferGraph& graph, int device) : facts_(facts), graph_(graph), device_(device) {
    clock_ns_ = facts.origin_ns + stream(facts.seed, 0x57A7, static_cast<uint64_t>(device)).below(30'000) * 10;
  }

  void iterate(int index, InferIteration& out) {
    random_ = stream(facts_.seed, 0x2000 + static_cast<uint64_t>(device_), static_cast<uint64_t>(index));
    out.number = index + 1;
    out.calls = {{{"acl", "aclmdlExecute", "AscendCL", "ACL_MODEL"},
                  {"model", "InputCopy", "Model", "InputCopy"},
                  {"runtime", "MemCopySync", "Runtime", "MemCopySync"},
                  {"model", "ModelExecute", "Model", "ModelExecute"},
                  {"runtime", "ModelExecute", "Runtime", "ModelExecute"},
                  {"runtime", "StreamSynchronize", "Runtime", "StreamSynchronize"},
                  {"model", "OutputCopy", "Model", "OutputCopy"},
                  {"runtime", "MemCopySync", "Runtime", "MemCopySync"}}};
    for (InferCall& call : out.calls) call.connection = ++connection_;

    open(out, kExecute, 2'000);
    copy(out, kInputCopy, kInputMemcpy, facts_.infer.input_copy_ns);
    open(out, kModelExecute, 1'500);
    if (index == 0) clock_ns_ += facts_.infer.compile_ns;
    open(out, kLaunch, 1'000);
    const int64_t first_ns = clock_ns_ + random_.around(9'000);
    spend(14'000);
    close(out, kLaunch, 500);
    run_kernels(first_ns, out);
    open(out, kSynchronize, 800);
    clock_ns_ = std::max(clock_ns_ + 3'000, (out.kernels.back().end_ns + 4'009) / 10 * 10);
    close(out, kSynchronize, 600);
    close(out, kModelExecute, 1'200);
    copy(out, kOutputCopy, kOutputMemcpy, facts_.infer.output_copy_ns);
    close(out, kExecute, 1'800);
    spend(facts_.infer.pause_ns);
    if (index == facts_.stall_step) clock_ns_ += facts_.stall_ns;
  }

 private:
  void spend(int64_t around_ns) { clock_ns_ += random_.around(around_ns) / 10 * 10 + 10; }
  void open(InferIteration& out, InferCallPlace place, int64_t after_ns) {
    out.calls[place].start_ns = clock_ns_;
    spend(after_ns);
  }
  void close(InferIteration& out, InferCallPlace place, int64_t after_ns) {
    out.calls[place].end_ns = clock_ns_;
    spend(after_ns);
  }
  void copy(InferIteration& out, InferCallPlace outer, InferCallPlace inner, int64_t copy_ns) {
    open(out, outer, 900);
    open(out, inner, copy_ns);
    close(out, inner, 700);
    close(out, outer, 800);
  }

  void run_kernels(int64_t first_ns, InferIteration& out) {
    out.kernels.clear();
    int64_t free_ns = first_ns;
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const GraphNode& node = graph_.nodes[i];
      if (node.kernel < 0) continue;
      const int64_t start_ns = free_ns + random_.between(400, 1'400);
      free_ns = start_ns + random_.around(graph_.kernels[static_cast<size_t>(node.kernel)].base_ns);
      // A graph is loaded once: the tasks keep their ids from iteration to iteration.
      out.kernels.push_back({static_cast<int>(i), start_ns, free_ns, node.kernel + 1});
    }
  }

  const Facts& facts_;
  const InferGraph& graph_;
  const int device_;
  Random random_{0};
  int64_t clock_ns_ = 0, connection_ = 200;
};

}  // namespace

void run_inference(const Facts& facts, const InferGraph& graph, int device,
                   const std::function<void(const InferIteration&)>& tell) {
  Device simulated(facts, graph, device);
  InferIteration iteration;
  for (int index = 0; index < facts.steps; ++index) {
    simulated.iterate(index, iteration);
    tell(iteration);
  }
}

}  // namespace stepwise::example
