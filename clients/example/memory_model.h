// Which blocks of device memory a training rank's framework calls allocate, and what the allocator holds after each
// change. Calls on the main thread keep their block until the step ends (in the last step some are kept for good),
// those of the backward pass until the call ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "clients/example/timeline.h"

namespace stepwise::example {

struct MemoryTotals {
  int64_t allocated_bytes = 0, reserved_bytes = 0;
};

struct MemoryBlock {
  std::string_view name;
  int64_t bytes = 0, alloc_ns = 0;
  std::optional<int64_t> release_ns;
  MemoryTotals after_alloc, after_release;
};

/// Tells nobody; those who write override.
class MemoryModel : public TimelineSink {
 public:
  explicit MemoryModel(int steps) : last_step_(steps - 1) {}

  void host_op(const HostOp& op) final;
  void step_end(const StepRange& range) final;

  const MemoryTotals& peak() const { return peak_; }
  int64_t blocks() const { return blocks_; }
  int64_t changes() const { return changes_; }

 protected:
  /// In the order of time.
  virtual void changed(int64_t /*ns*/, const MemoryTotals& /*after*/) {}
  /// In the order of allocation, after all changes of its step.
  virtual void block(const MemoryBlock& /*block*/) {}

 private:
  void change(int64_t bytes);

  const int last_step_;
  std::vector<MemoryBlock> of_step_;
  std::vector<bool> kept_;                                    // of those: until the step ends
  MemoryTotals now_{int64_t{640} << 20, int64_t{660} << 20};  // the model's own, allocated before recording
  MemoryTotals peak_ = now_;
  int64_t blocks_ = 0, changes_ = 0;
};

}  // namespace stepwise::example
