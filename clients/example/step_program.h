// One training step as a list of instructions: what each host thread calls, in the order in which it must be simulated.
// The same list holds for every rank; durations are drawn when a rank executes it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "clients/example/facts.h"
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
  Group group = Group::dense;
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
/// The Python call stack under the stage's range, innermost frame first, by ';'.
const char* stage_stack(Stage stage);

/// Refills `program` (cleared first) with the step of index `step`. The `open_range` of a stage has value = stage.
void build_step(const Facts& facts, const Catalog& catalog, int step, std::vector<Instruction>& program);

}  // namespace stepwise::example
