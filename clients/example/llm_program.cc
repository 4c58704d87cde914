#include <string>
#include <utility>

#include "clients/example/llm_catalog.h"
#include "clients/example/model.h"
#include "clients/example/random.h"

namespace stepwise::example {
namespace {

using Kind = Instruction::Kind;

constexpr Group kTensor = Group::first, kPipeline = Group::second, kData = Group::third;
constexpr int64_t kFirstSequence = 1'000;
constexpr int kCallsOfLayer = 12;  // that autograd remembers

class Builder : private ProgramBuilder {
 public:
  Builder(const Facts& facts, const LlmCatalog& catalog, int rank, int step, std::vector<Instruction>& program)
      : ProgramBuilder(program),
        facts_(facts),
        catalog_(catalog),
        is_first_(rank / facts.llm.tensor % facts.llm.pipeline == 0),
        step_(step) {}

  void build() {
    frame("pretrain_gpt.py(412): train_step");
    preprocess();
    // All forward passes, then all backward passes: a rank's peers in the pipeline wait meanwhile.
    for (int micro = 0; micro < facts_.llm.micro_batches; ++micro) forward(micro);
    for (int micro = 0; micro < facts_.llm.micro_batches; ++micro) backward(micro);
    update();
    frame("megatron/training.py(731): training_log");
    operation(Thread::main, catalog_.item);
    close_frame();
    frame("torch_npu/npu/utils.py(64): synchronize");
    add(Kind::wait_device, Thread::main);
    close_frame();
    close_frame();
  }

 private:
  void preprocess() {
    frame("pretrain_gpt.py(88): get_batch");
    stage_open(Thread::main, Stage::preprocess);
    range(Thread::main, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    frame("torch/utils/data/dataloader.py(626): __next__");
    add(Kind::load_batch, Thread::main);
    close_frame();
    close(Thread::main);
    operation(Thread::main, catalog_.copy_tokens);
    close(Thread::main);
    close_frame();
  }

  int calls_of_micro_batch() const { return kCallsOfLayer * facts_.blocks + (is_first_ ? 1 : 3); }
  int64_t first_sequence(int micro) const {
    return kFirstSequence + (int64_t{step_} * facts_.llm.micro_batches + micro) * calls_of_micro_batch();
  }

  void forward(int micro) {
    frame("pretrain_gpt.py(131): forward_step");
    if (!is_first_) collective_and_wait(Thread::main, kPipeline, catalog_.receive);
    stage_open(Thread::main, Stage::forward);
    int64_t sequence = first_sequence(micro);
    if (is_first_) {
      frame("nn.Module: VocabParallelEmbedding_0", -1, 0);
      operation(Thread::main, catalog_.embedding, sequence++);
      collective_and_wait(Thread::main, kTensor, catalog_.reduce_activations);
      close_frame();
    }
    for (int layer = 0; layer < facts_.blocks; ++layer) {
      frame("nn.Module: TransformerLayer", layer, 1 + layer);
      frame("megatron/core/transformer/transformer_layer.py(174): forward");
      for (const OpSpec* op : {&catalog_.norm, &catalog_.query_key_value, &catalog_.rotary, &catalog_.rotary,
                               &catalog_.attention, &catalog_.project}) {
        operation(Thread::main, *op, sequence++);
      }
      collective_and_wait(Thread::main, kTensor, catalog_.reduce_activations);
      for (const OpSpec* op : {&catalog_.residual, &catalog_.norm, &catalog_.widen, &catalog_.gate, &catalog_.narrow}) {
        operation(Thread::main, *op, sequence++);
      }
      collective_and_wait(Thread::main, kTensor, catalog_.reduce_activations);
      operation(Thread::main, catalog_.residual, sequence++);
      close_frame();
      close_frame();
    }
    if (!is_first_) {
      for (const OpSpec* op : {&catalog_.final_norm, &catalog_.logits, &catalog_.loss}) {
        operation(Thread::main, *op, sequence++);
      }
    }
    close(Thread::main);
    if (is_first_) collective(Thread::main, kPipeline, catalog_.send);
    close_frame();
  }

  void backward(int micro) {
    frame("megatron/core/pipeline_parallel/schedules.py(301): backward_step");
    if (is_first_) collective_and_wait(Thread::main, kPipeline, catalog_.receive);
    stage_open(Thread::main, Stage::backward);
    add(Kind::fork, Thread::backward);
    int64_t sequence = first_sequence(micro) + calls_of_micro_batch() - 1;
    if (!is_first_) {
      for (const OpSpec* op : {&catalog_.loss_grad, &catalog_.logits_grad, &catalog_.final_norm_grad}) {
        operation(Thread::backward, *op, sequence--);
      }
    }
    int reduced = 0;
    for (int layer = 0; layer < facts_.blocks; ++layer) {
      layer_backward(sequence);
      sequence -= kCallsOfLayer;
      // Gradients are whole with the last micro batch; a bucket as soon as its share of the layers is through.
      if (micro + 1 == facts_.llm.micro_batches && (layer + 1) * int64_t{facts_.buckets} / facts_.blocks > reduced) {
        collective(Thread::backward, kData, catalog_.reduce_gradients);
        ++reduced;
      }
    }
    if (is_first_) operation(Thread::backward, catalog_.embedding_grad, sequence);
    add(Kind::join, Thread::backward);
    close(Thread::main);
    if (!is_first_) collective(Thread::main, kPipeline, catalog_.send);
    close_frame();
  }

  /// `sequence`: of the layer's last call. Its two additions have no gradient work of their own.
  void layer_backward(int64_t sequence) {
    sequence -= 1;
    for (const OpSpec* op : {&catalog_.narrow_grad, &catalog_.gate_grad, &catalog_.widen_grad}) {
      operation(Thread::backward, *op, sequence--);
    }
    collective_and_wait(Thread::backward, kTensor, catalog_.reduce_activations);
    operation(Thread::backward, catalog_.norm_grad, sequence--);
    sequence -= 1;
    for (const OpSpec* op : {&catalog_.project_grad, &catalog_.attention_grad, &catalog_.rotary_grad,
                             &catalog_.rotary_grad, &catalog_.query_key_value_grad}) {
      operation(Thread::backward, *op, sequence--);
    }
    collective_and_wait(Thread::backward, kTensor, catalog_.reduce_activations);
    operation(Thread::backward, catalog_.norm_grad, sequence);
  }

  void update() {
    frame("megatron/core/optimizer/optimizer.py(412): step");
    stage_open(Thread::main, Stage::update_dense);
    range(Thread::main, "Optimizer.step#AdamW.step");
    wait_group(Thread::main, kData);
    for (int layer = 0; layer < facts_.blocks; ++layer) operation(Thread::main, catalog_.gradient_norm);
    for (int layer = 0; layer < facts_.blocks; ++layer) operation(Thread::main, catalog_.adam);
    close(Thread::main);
    range(Thread::main, "Optimizer.zero_grad#AdamW.zero_grad");
    operation(Thread::main, catalog_.foreach_zero);
    close(Thread::main);
    close(Thread::main);
    close_frame();
  }

  const Facts& facts_;
  const LlmCatalog& catalog_;
  const bool is_first_;  // of the pipeline's two stages
  const int step_;
};

constexpr Script kScript{
    {"pretrain_gpt.py(498): <module>", "pretrain_gpt.py(470): main"},
    "pretrain_gpt.py(412): train_step;pretrain_gpt.py(470): main;pretrain_gpt.py(498): <module>",
    {"pretrain_gpt.py(95): get_batch;pretrain_gpt.py(415): train_step;pretrain_gpt.py(470): main;"
     "pretrain_gpt.py(498): <module>",
     "",
     "megatron/core/models/gpt/gpt_model.py(219): forward;pretrain_gpt.py(140): forward_step;"
     "pretrain_gpt.py(421): train_step;pretrain_gpt.py(470): main;pretrain_gpt.py(498): <module>",
     "torch/_tensor.py(433): backward;megatron/core/pipeline_parallel/schedules.py(310): backward_step;"
     "pretrain_gpt.py(421): train_step;pretrain_gpt.py(470): main;pretrain_gpt.py(498): <module>",
     "",
     "megatron/core/optimizer/optimizer.py(440): step;pretrain_gpt.py(433): train_step;pretrain_gpt.py(470): main;"
     "pretrain_gpt.py(498): <module>"}};

/// Three digits at the end tell groups apart: they are all that the names of collectives repeat.
std::string group_hash(const Facts& facts, size_t id) {
  Random random = stream(facts.seed, 0x6A58, id);
  const int64_t last = 100 + static_cast<int64_t>(id) * 7;  // at most 68 groups
  return std::to_string(random.between(1'000'000, 9'999'999)) +
         std::to_string(random.between(100'000'000, 999'999'999)) + std::to_string(last);
}

Topology tensor_pipeline_data(const Facts& facts) {
  const LlmFacts& llm = facts.llm;
  Topology topology({"tp", "pp", "dp"});
  auto rank_of = [&](int pipeline, int data, int tensor) {
    return (data * llm.pipeline + pipeline) * llm.tensor + tensor;
  };
  auto add = [&](Group group, std::vector<int> ranks) {
    topology.add(group, group_hash(facts, topology.all().size()), std::move(ranks));
  };
  for (int pipeline = 0; pipeline < llm.pipeline; ++pipeline) {
    for (int data = 0; data < llm.data; ++data) {
      add(kTensor, {rank_of(pipeline, data, 0), rank_of(pipeline, data, 1)});
    }
  }
  for (int data = 0; data < llm.data; ++data) {
    for (int tensor = 0; tensor < llm.tensor; ++tensor)
      add(kPipeline, {rank_of(0, data, tensor), rank_of(1, data, tensor)});
  }
  for (int pipeline = 0; pipeline < llm.pipeline; ++pipeline) {
    for (int tensor = 0; tensor < llm.tensor; ++tensor) {
      std::vector<int> replicas;
      for (int data = 0; data < llm.data; ++data) replicas.push_back(rank_of(pipeline, data, tensor));
      add(kData, std::move(replicas));
    }
  }
  return topology;
}

class LlmModel : public Model {
 public:
  explicit LlmModel(const Facts& facts) : Model(tensor_pipeline_data(facts), kScript), facts_(facts), catalog_(facts) {}

  void build_step(int rank, int step, std::vector<Instruction>& program) const override {
    program.clear();
    Builder(facts_, catalog_, rank, step, program).build();
  }

 private:
  const Facts& facts_;
  const LlmCatalog catalog_;
};

}  // namespace

std::unique_ptr<Model> make_llm_model(const Facts& facts) { return std::make_unique<LlmModel>(facts); }

}  // namespace stepwise::example
