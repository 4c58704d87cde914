#include <numeric>
#include <utility>

#include "clients/example/model.h"
#include "clients/example/random.h"
#include "clients/example/recsys_catalog.h"

namespace stepwise::example {
namespace {

using Kind = Instruction::Kind;

constexpr Group kDense = Group::first, kFetch = Group::second, kUpdate = Group::third;
constexpr int64_t kFirstSequence = 1'000;

class Builder : private ProgramBuilder {
 public:
  Builder(const Facts& facts, const RecsysCatalog& catalog, int step, std::vector<Instruction>& program)
      : ProgramBuilder(program), facts_(facts), catalog_(catalog), step_(step) {}

  void build() {
    frame("dlrm/train.py(88): train_step");
    const bool ahead = facts_.recsys.fetch_has_thread();
    if (ahead && facts_.recsys.preprocess_overlaps_fetch) fetch_on_thread();
    preprocess();
    if (ahead && !facts_.recsys.preprocess_overlaps_fetch) fetch_on_thread();
    take_embeddings(ahead);
    forward();
    backward();
    updates();
    frame("dlrm/train.py(131): log_loss");
    operation(Thread::main, catalog_.item);
    close_frame();
    frame("torch_npu/npu/utils.py(64): synchronize");
    add(Kind::wait_device, Thread::main);
    close_frame();
    close_frame();
  }

 private:
  void preprocess() {
    frame("dlrm/data.py(40): next_batch");
    stage_open(Thread::main, Stage::preprocess);
    range(Thread::main, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    frame("torch/utils/data/dataloader.py(626): __next__");
    add(Kind::load_batch, Thread::main);
    close_frame();
    close(Thread::main);
    operation(Thread::main, catalog_.copy_labels);
    operation(Thread::main, catalog_.copy_ids);
    for (int table = 0; table < facts_.recsys.tables; ++table) {
      operation(Thread::main, catalog_.unique_ids);
      operation(Thread::main, catalog_.sort_ids);
    }
    operation(Thread::main, catalog_.cast_dense);
    operation(Thread::main, catalog_.log_dense);
    close(Thread::main);
    close_frame();
  }

  void fetch(Thread thread) {
    collective_and_wait(thread, kFetch, catalog_.exchange_ids);
    for (int table = 0; table < facts_.recsys.tables; ++table) operation(thread, catalog_.lookup);
    collective_and_wait(thread, kFetch, catalog_.exchange_embeddings);
    operation(thread, catalog_.concat_embeddings);
  }

  void fetch_on_thread() {
    add(Kind::fork, Thread::prefetch);
    const int64_t target = facts_.first_step + step_ + facts_.recsys.prefetch_depth;
    range(Thread::prefetch, facts_.recsys.prefetch_depth > 0 ? "prefetch_embedding" : "embedding_fetch_async", target,
          static_cast<int64_t>(Stage::embedding_fetch));
    fetch(Thread::prefetch);
    close(Thread::prefetch);
  }

  void take_embeddings(bool ahead) {
    frame("dlrm/embedding.py(57): fetch");
    stage_open(Thread::main, Stage::embedding_fetch);
    if (!ahead) {
      fetch(Thread::main);
    } else {
      Instruction& wait = add(Kind::await_result, Thread::main);
      wait.label = {facts_.recsys.prefetch_depth > 0 ? "prefetch.result" : "fetch.result"};
      // Zero: until the thread is through. A fetch of an earlier step is through, but not always handed over yet.
      wait.value = facts_.recsys.prefetch_depth == 0 ? 0 : hand_over_ns();
      if (facts_.recsys.prefetch_depth == 0) wait_group(Thread::main, kFetch);
    }
    close(Thread::main);
    close_frame();
  }

  /// In half of the runs a part of the step that counts.
  int64_t hand_over_ns() const { return stream(facts_.seed, 0xA51C, 0).one_in(2) ? 8'000'000 : 10; }

  int64_t sequence(int position) const {
    const int per_step = 3 * facts_.blocks + 2;
    return kFirstSequence + int64_t{step_} * per_step + position;
  }

  void forward() {
    frame("dlrm/train.py(97): forward");
    stage_open(Thread::main, Stage::forward);
    range(Thread::main, "DistributedDataParallel.forward");
    int position = 0;
    frame("nn.Module: DotInteraction_0", -1, 0);
    operation(Thread::main, catalog_.interaction, sequence(position++));
    close_frame();
    for (int block = 0; block < facts_.blocks; ++block) {
      frame("nn.Module: DenseBlock", block, 1 + block);
      frame("dlrm/model.py(33): forward");
      frame("<built-in function linear>");
      operation(Thread::main, catalog_.linear, sequence(position++));
      close_frame();
      operation(Thread::main, catalog_.layer_norm, sequence(position++));
      frame("<built-in method relu of type object at 0x713b40>");
      operation(Thread::main, catalog_.relu, sequence(position++));
      close_frame();
      close_frame();
      close_frame();
    }
    close(Thread::main);
    frame("torch/nn/functional.py(3148): binary_cross_entropy_with_logits");
    operation(Thread::main, catalog_.loss, sequence(position++));
    close_frame();
    close(Thread::main);
    close_frame();
  }

  void backward() {
    frame("torch/_tensor.py(428): backward");
    stage_open(Thread::main, Stage::backward);
    add(Kind::fork, Thread::backward);
    int position = 3 * facts_.blocks + 1;
    operation(Thread::backward, catalog_.loss_grad, sequence(position--));
    int reduced = 0;
    for (int block = 0; block < facts_.blocks; ++block) {
      operation(Thread::backward, catalog_.relu_grad, sequence(position--));
      operation(Thread::backward, catalog_.layer_norm_grad, sequence(position--));
      operation(Thread::backward, catalog_.linear_grad, sequence(position--));
      // A bucket is full as soon as its share of the layers has gradients.
      if ((block + 1) * int64_t{facts_.buckets} / facts_.blocks > reduced) {
        collective(Thread::backward, kDense, catalog_.reduce_gradients);
        ++reduced;
      }
    }
    operation(Thread::backward, catalog_.interaction_grad, sequence(position--));
    add(Kind::join, Thread::backward);
    close(Thread::main);
    close_frame();
  }

  void update_embedding(Thread thread) {
    stage_open(thread, Stage::update_embedding);
    collective_and_wait(thread, kUpdate, catalog_.exchange_gradients);
    for (int table = 0; table < facts_.recsys.tables; ++table) {
      operation(thread, catalog_.embedding_grad);
      operation(thread, catalog_.embedding_update);
    }
    close(thread);
  }

  void update_dense() {
    frame("dlrm/train.py(118): optimizer_step");
    stage_open(Thread::main, Stage::update_dense);
    range(Thread::main, "Optimizer.step#Adam.step");
    frame("torch/optim/adam.py(213): step");
    wait_group(Thread::main, kDense);
    for (const OpSpec* op :
         {&catalog_.foreach_mul, &catalog_.foreach_addcmul, &catalog_.foreach_sqrt, &catalog_.foreach_addcdiv}) {
      operation(Thread::main, *op);
    }
    close_frame();
    close(Thread::main);
    range(Thread::main, "Optimizer.zero_grad#Adam.zero_grad");
    operation(Thread::main, catalog_.foreach_zero);
    close(Thread::main);
    close(Thread::main);
    close_frame();
  }

  void updates() {
    if (facts_.recsys.updates_overlap) {
      add(Kind::fork, Thread::update);
      update_embedding(Thread::update);
      update_dense();
      add(Kind::join, Thread::update);
    } else {
      frame("dlrm/embedding.py(81): apply_gradients");
      update_embedding(Thread::main);
      close_frame();
      update_dense();
    }
  }

  const Facts& facts_;
  const RecsysCatalog& catalog_;
  const int step_;
};

constexpr Script kScript{
    {"dlrm/train.py(160): <module>", "dlrm/train.py(152): main"},
    "dlrm/train.py(88): train_step;dlrm/train.py(152): main;dlrm/train.py(160): <module>",
    {"dlrm/data.py(52): next_batch;dlrm/train.py(90): train_step;dlrm/train.py(152): main;dlrm/train.py(160): "
     "<module>",
     "dlrm/embedding.py(63): fetch;dlrm/train.py(93): train_step;dlrm/train.py(152): main;dlrm/train.py(160): "
     "<module>",
     "dlrm/model.py(35): forward;dlrm/train.py(97): train_step;dlrm/train.py(152): main;dlrm/train.py(160): <module>",
     "torch/_tensor.py(433): backward;dlrm/train.py(104): train_step;dlrm/train.py(152): main;"
     "dlrm/train.py(160): <module>",
     "dlrm/embedding.py(88): apply_gradients;dlrm/train.py(110): train_step;dlrm/train.py(152): main;"
     "dlrm/train.py(160): <module>",
     "torch/optim/adam.py(213): step;dlrm/train.py(118): train_step;dlrm/train.py(152): main;"
     "dlrm/train.py(160): <module>"}};

/// Every rank talks to every other, over a communicator for each purpose.
Topology all_to_all(int world_size) {
  Topology topology({"default_group", "embedding_fetch", "embedding_update"});
  std::vector<int> everyone(static_cast<size_t>(world_size));
  std::iota(everyone.begin(), everyone.end(), 0);
  topology.add(kDense, "11022204950826225271", everyone);
  topology.add(kFetch, "17522688603477080586", everyone);
  topology.add(kUpdate, "6391734478120955138", everyone);
  return topology;
}

class RecsysModel : public Model {
 public:
  explicit RecsysModel(const Facts& facts)
      : Model(all_to_all(facts.world_size), kScript), facts_(facts), catalog_(facts) {}

  /// The same for every rank.
  void build_step(int, int step, std::vector<Instruction>& program) const override {
    program.clear();
    Builder(facts_, catalog_, step, program).build();
  }

 private:
  const Facts& facts_;
  const RecsysCatalog catalog_;
};

}  // namespace

std::unique_ptr<Model> make_recsys_model(const Facts& facts) { return std::make_unique<RecsysModel>(facts); }

}  // namespace stepwise::example
