#include "clients/example/memory_model.h"

#include <algorithm>
#include <tuple>

namespace stepwise::example {
namespace {

constexpr int64_t kSegmentBytes = int64_t{20} << 20;  // what the allocator takes from the device at once
constexpr int64_t kGrainBytes = 512, kLargestBytes = int64_t{1} << 28;

/// Of the first tensor, four bytes an element.
int64_t bytes_of(std::string_view dims) {
  int64_t elements = 1, size = 0;
  for (const char c : dims.substr(0, dims.find(';'))) {
    if (c >= '0' && c <= '9') {
      size = std::min(size * 10 + (c - '0'), kLargestBytes);
    } else {
      elements = std::min(elements * std::max<int64_t>(size, 1), kLargestBytes);
      size = 0;
    }
  }
  elements = std::min(elements * std::max<int64_t>(size, 1), kLargestBytes / 4);
  return (elements * 4 + kGrainBytes - 1) / kGrainBytes * kGrainBytes;
}

struct Change {
  int64_t ns = 0;
  size_t block = 0;
  bool is_release = false;
};

}  // namespace

void MemoryModel::host_op(const HostOp& op) {
  const bool is_followed = op.thread == Thread::main || op.thread == Thread::backward;
  if (!is_followed || op.device_total_ns <= 0 || !op.label.name.starts_with("aten::")) return;
  MemoryBlock block;
  block.name = op.label.name;
  block.bytes = bytes_of(op.dims);
  block.alloc_ns = op.start_ns + (op.end_ns - op.start_ns) / 40 * 10;
  block.release_ns = op.end_ns;
  of_step_.push_back(block);
  kept_.push_back(op.thread == Thread::main);
}

void MemoryModel::step_end(const StepRange& range) {
  constexpr size_t kKeptForGood = 8;  // one in so many
  std::vector<Change> changes;
  for (size_t i = 0; i < of_step_.size(); ++i) {
    MemoryBlock& block = of_step_[i];
    if (kept_[i]) block.release_ns = range.end_ns;
    if (kept_[i] && range.index == last_step_ && i % kKeptForGood == 0) block.release_ns.reset();
    changes.push_back({block.alloc_ns, i, false});
    if (block.release_ns) changes.push_back({*block.release_ns, i, true});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tuple(a.ns, a.is_release, a.block) < std::tuple(b.ns, b.is_release, b.block);
  });
  for (const Change& one : changes) {
    MemoryBlock& block = of_step_[one.block];
    change(one.is_release ? -block.bytes : block.bytes);
    (one.is_release ? block.after_release : block.after_alloc) = now_;
    changed(one.ns, now_);
  }
  std::stable_sort(of_step_.begin(), of_step_.end(),
                   [](const MemoryBlock& a, const MemoryBlock& b) { return a.alloc_ns < b.alloc_ns; });
  for (const MemoryBlock& one : of_step_) block(one);
  blocks_ += static_cast<int64_t>(of_step_.size());
  changes_ += static_cast<int64_t>(changes.size());
  of_step_.clear();
  kept_.clear();
}

void MemoryModel::change(int64_t bytes) {
  now_.allocated_bytes += bytes;
  now_.reserved_bytes =
      std::max(now_.reserved_bytes, (now_.allocated_bytes + kSegmentBytes - 1) / kSegmentBytes * kSegmentBytes);
  peak_.allocated_bytes = std::max(peak_.allocated_bytes, now_.allocated_bytes);
  peak_.reserved_bytes = std::max(peak_.reserved_bytes, now_.reserved_bytes);
}

}  // namespace stepwise::example
