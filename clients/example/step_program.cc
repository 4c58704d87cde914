#include "clients/example/step_program.h"

namespace stepwise::example {
namespace {

using Kind = Instruction::Kind;

constexpr int64_t kNoStage = -1;
constexpr int64_t kFirstSequence = 1'000;

class Builder {
 public:
  Builder(const Facts& facts, const Catalog& catalog, int step, std::vector<Instruction>& program)
      : facts_(facts), catalog_(catalog), step_(step), program_(program) {}

  void build() {
    frame("dlrm/train.py(88): train_step");
    const bool ahead = fetch_has_thread(facts_);
    if (ahead && facts_.preprocess_overlaps_fetch) fetch_on_thread();
    preprocess();
    if (ahead && !facts_.preprocess_overlaps_fetch) fetch_on_thread();
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
  Instruction& add(Kind kind, Thread thread) {
    Instruction instruction{};
    instruction.kind = kind;
    instruction.thread = thread;
    return program_.emplace_back(instruction);
  }
  void range(Thread thread, std::string_view name, int64_t number = -1, int64_t stage = kNoStage) {
    Instruction& open = add(Kind::open_range, thread);
    open.label = {name, number};
    open.value = stage;
  }
  void stage_open(Thread thread, Stage stage) { range(thread, stage_range(stage), -1, static_cast<int64_t>(stage)); }
  void close(Thread thread) { add(Kind::close_range, thread); }
  void frame(std::string_view name, int64_t number = -1, int64_t module = -1) {
    Instruction& open = add(Kind::open_frame, Thread::main);
    open.label = {name, number};
    open.value = module;
  }
  void close_frame() { add(Kind::close_frame, Thread::main); }
  void operation(Thread thread, const OpSpec& op, int64_t sequence = -1) {
    Instruction& run = add(Kind::operation, thread);
    run.op = &op;
    run.value = sequence;
  }
  void collective(Thread thread, Group group, const CollectiveSpec& spec) {
    Instruction& run = add(Kind::collective, thread);
    run.group = group;
    run.collective_spec = &spec;
  }
  void wait_group(Thread thread, Group group) { add(Kind::wait_group, thread).group = group; }

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
    for (int table = 0; table < facts_.tables; ++table) {
      operation(Thread::main, catalog_.unique_ids);
      operation(Thread::main, catalog_.sort_ids);
    }
    operation(Thread::main, catalog_.cast_dense);
    operation(Thread::main, catalog_.log_dense);
    close(Thread::main);
    close_frame();
  }

  void fetch(Thread thread) {
    collective(thread, Group::fetch, catalog_.exchange_ids);
    wait_group(thread, Group::fetch);
    for (int table = 0; table < facts_.tables; ++table) operation(thread, catalog_.lookup);
    collective(thread, Group::fetch, catalog_.exchange_embeddings);
    wait_group(thread, Group::fetch);
    operation(thread, catalog_.concat_embeddings);
  }

  void fetch_on_thread() {
    add(Kind::fork, Thread::prefetch);
    const int64_t target = facts_.first_step + step_ + facts_.prefetch_depth;
    range(Thread::prefetch, facts_.prefetch_depth > 0 ? "prefetch_embedding" : "embedding_fetch_async", target,
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
      wait.label = {facts_.prefetch_depth > 0 ? "prefetch.result" : "fetch.result"};
      // A fetch of an earlier step is long through: its future is ready.
      wait.value = facts_.prefetch_depth;
      if (facts_.prefetch_depth == 0) wait_group(Thread::main, Group::fetch);
    }
    close(Thread::main);
    close_frame();
  }

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
        collective(Thread::backward, Group::dense, catalog_.reduce_gradients);
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
    collective(thread, Group::update, catalog_.exchange_gradients);
    wait_group(thread, Group::update);
    for (int table = 0; table < facts_.tables; ++table) {
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
    wait_group(Thread::main, Group::dense);
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
    if (facts_.updates_overlap) {
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
  const Catalog& catalog_;
  const int step_;
  std::vector<Instruction>& program_;
};

}  // namespace

const char* stage_name(Stage stage) {
  constexpr const char* kNames[] = {"preprocess", "embedding_fetch",  "forward",
                                    "backward",   "update_embedding", "update_dense"};
  return kNames[static_cast<int>(stage)];
}

const char* stage_range(Stage stage) {
  constexpr const char* kRanges[] = {"data_preprocess", "embedding_fetch",  "model.forward",
                                     "loss.backward",   "update_embedding", "update_dense"};
  return kRanges[static_cast<int>(stage)];
}

const char* stage_stack(Stage stage) {
  constexpr const char* kStacks[] = {
      "dlrm/data.py(52): next_batch;dlrm/train.py(90): train_step;dlrm/train.py(152): main;dlrm/train.py(160): "
      "<module>",
      "dlrm/embedding.py(63): fetch;dlrm/train.py(93): train_step;dlrm/train.py(152): main;dlrm/train.py(160): "
      "<module>",
      "dlrm/model.py(35): forward;dlrm/train.py(97): train_step;dlrm/train.py(152): main;dlrm/train.py(160): <module>",
      "torch/_tensor.py(433): backward;dlrm/train.py(104): train_step;dlrm/train.py(152): main;"
      "dlrm/train.py(160): <module>",
      "dlrm/embedding.py(88): apply_gradients;dlrm/train.py(110): train_step;dlrm/train.py(152): main;"
      "dlrm/train.py(160): <module>",
      "torch/optim/adam.py(213): step;dlrm/train.py(118): train_step;dlrm/train.py(152): main;"
      "dlrm/train.py(160): <module>"};
  return kStacks[static_cast<int>(stage)];
}

void build_step(const Facts& facts, const Catalog& catalog, int step, std::vector<Instruction>& program) {
  program.clear();
  Builder(facts, catalog, step, program).build();
}

}  // namespace stepwise::example
