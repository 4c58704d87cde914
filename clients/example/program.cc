#include "clients/example/program.h"

namespace stepwise::example {

using Kind = Instruction::Kind;

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

Instruction& ProgramBuilder::add(Kind kind, Thread thread) {
  Instruction instruction{};
  instruction.kind = kind;
  instruction.thread = thread;
  return program_.emplace_back(instruction);
}

void ProgramBuilder::range(Thread thread, std::string_view name, int64_t number, int64_t stage) {
  Instruction& open = add(Kind::open_range, thread);
  open.label = {name, number};
  open.value = stage;
}

void ProgramBuilder::frame(std::string_view name, int64_t number, int64_t module) {
  Instruction& open = add(Kind::open_frame, Thread::main);
  open.label = {name, number};
  open.value = module;
}

void ProgramBuilder::operation(Thread thread, const OpSpec& op, int64_t sequence) {
  Instruction& run = add(Kind::operation, thread);
  run.op = &op;
  run.value = sequence;
}

void ProgramBuilder::collective(Thread thread, Group group, const CollectiveSpec& spec) {
  Instruction& run = add(Kind::collective, thread);
  run.group = group;
  run.collective_spec = &spec;
}

void ProgramBuilder::collective_and_wait(Thread thread, Group group, const CollectiveSpec& spec) {
  collective(thread, group, spec);
  wait_group(thread, group);
}

}  // namespace stepwise::example
