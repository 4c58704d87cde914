// One training step as a list of instructions: what each host thread calls, in the order in which it must be simulated.
// Durations are drawn when a rank executes it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "clients/example/operators.h"
#include "clients/example/timeline.h"

namespace stepwise::example {

struct Instruction {
  enum class Kind : uint8_t {
    open_range,  // a named range (cpu_op) on the thread
    close_range,
    open_frame,  // a Python function on the main thread; value: module number or -1
    close_frame,
    operation,     // op; value: autograd sequence number or -1
    collective,    // collective on group
    load_batch,    // the data loader: late ranks and stalls are slow here
    fork,          // thread starts now (main's clock)
    join,          // main waits until thread is through
    wait_group,    // the thread's stream waits for the group's stream
    await_result,  // main waits until thread is through, as a call of its own: a future's result
    wait_device,   // main waits until everything is done
  };
  Kind kind;
  Thread thread = Thread::main;
  Group group = Group::first;
  Label label;
  const OpSpec* op = nullptr;
  const CollectiveSpec* collective_spec = nullptr;
  int64_t value = -1;
};

/// The six stages of a training step and what belongs to none.
enum class Stage : uint8_t { preprocess, embedding_fetch, forward, backward, update_embedding, update_dense };
inline constexpr int kStages = 6;
const char* stage_name(Stage stage);   // as tools name it
const char* stage_range(Stage stage);  // the range's name in the profile

/// The training script as Python's stack shows it. Stacks: innermost frame first, by ';'.
struct Script {
  std::array<std::string_view, 2> frames;        // around all steps, outermost first
  std::string_view stack;                        // under calls outside of all stages
  std::array<std::string_view, kStages> stacks;  // under each stage's range
};

/// Appends to a program.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::vector<Instruction>& program) : program_(program) {}

  Instruction& add(Instruction::Kind kind, Thread thread);
  /// The range of a stage has its number as value.
  void range(Thread thread, std::string_view name, int64_t number = -1, int64_t stage = -1);
  void stage_open(Thread thread, Stage stage) { range(thread, stage_range(stage), -1, static_cast<int64_t>(stage)); }
  void close(Thread thread) { add(Instruction::Kind::close_range, thread); }
  void frame(std::string_view name, int64_t number = -1, int64_t module = -1);
  void close_frame() { add(Instruction::Kind::close_frame, Thread::main); }
  void operation(Thread thread, const OpSpec& op, int64_t sequence = -1);
  void collective(Thread thread, Group group, const CollectiveSpec& spec);
  void wait_group(Thread thread, Group group) { add(Instruction::Kind::wait_group, thread).group = group; }
  /// collective, then the thread's stream waits for it.
  void collective_and_wait(Thread thread, Group group, const CollectiveSpec& spec);

 private:
  std::vector<Instruction>& program_;
};

}  // namespace stepwise::example
