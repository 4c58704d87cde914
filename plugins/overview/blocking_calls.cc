#include "blocking_calls.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <unordered_map>

#include "enclosing_calls.h"
#include "sync_names.h"

namespace stepwise::overview {
namespace {

namespace host_op = table::host_op;
namespace kernel = table::kernel;
namespace kernel_link = table::kernel_link;
namespace python_call = table::python_call;
namespace runtime_api = table::runtime_api;

constexpr int64_t kLongCallNs = 1'000'000;

bool contains(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

bool is_step(std::string_view name) { return name.substr(0, 13) == "ProfilerStep#"; }

struct Copy {
  std::string_view name;
  int64_t end_ns;
};
using Copies = std::unordered_map<uint64_t, Copy>;  // by row of the launching call

Copies copies_of(sdk::Call& call, uint32_t rank, const sdk::TableView& kernels) {
  Copies out;
  const auto links = call.table(rank, kernel_link::kTable);
  if (!links) return out;
  call.for_each_row(links->rows(), [&](uint64_t row) {
    const auto api = (*links)[kernel_link::runtime_api_id].get(row);
    const auto at = static_cast<uint64_t>((*links)[kernel_link::kernel_id][row]);
    if (!api || *api < 0 || at >= kernels.rows() || kernels[kernel::class_][at] != "copy") return;
    out[static_cast<uint64_t>(*api)] = {kernels[kernel::name][at],
                                        kernels[kernel::start_ns][at] + kernels[kernel::dur_ns][at]};
  });
  return out;
}

/// nullptr: it does not block.
const char* kind_of_call(std::string_view name, int64_t dur_ns, int64_t end_ns, const Copy* copy) {
  if (synchronizes(name)) return "synchronisation";
  if (contains(name, "Memcpy")) {
    const bool waited = copy != nullptr && (end_ns >= copy->end_ns || contains(copy->name, "Pageable"));
    return waited || !contains(name, "Async") || dur_ns >= kLongCallNs ? "copy" : nullptr;
  }
  if (dur_ns < kLongCallNs) return nullptr;
  if (contains(name, "Malloc") || contains(name, "Free") || contains(name, "HostAlloc")) return "allocation";
  return contains(name, "Launch") ? "launch" : "other";
}

class Gathering {
 public:
  Gathering(sdk::Call& call, uint32_t rank, const DeviceIdle& idle, std::optional<int64_t> step)
      : call_(call),
        idle_(idle),
        step_(step),
        ops_(call.table(rank, host_op::kTable)),
        python_(call.table(rank, python_call::kTable)) {
    if (ops_) ops_around_.emplace(call, *ops_);
    if (python_) python_around_.emplace(call, *python_);
  }

  void add_driver_calls(const sdk::TableView& calls, const Copies& copies) {
    const auto name = calls[runtime_api::name];
    std::vector<const char*> kinds(calls.rows(), nullptr);
    const auto parent = calls[runtime_api::parent_id];
    call_.for_each_row(calls.rows(), [&](uint64_t row) {
      const int64_t dur_ns = calls[runtime_api::dur_ns][row], start_ns = calls[runtime_api::start_ns][row];
      const auto outer = parent.get(row);
      if (outer && *outer >= 0 && static_cast<uint64_t>(*outer) < row &&
          kinds[static_cast<size_t>(*outer)] != nullptr) {
        kinds[row] = kinds[static_cast<size_t>(*outer)];
        return;  // counts with the call around it
      }
      const auto copy = copies.find(row);
      kinds[row] = kind_of_call(name[row], dur_ns, start_ns + dur_ns, copy == copies.end() ? nullptr : &copy->second);
      if (kinds[row] == nullptr || (step_ && calls[runtime_api::step].get(row) != step_)) return;
      const int64_t tid = calls[runtime_api::tid][row];
      blocked_[tid].push_back({start_ns, start_ns + dur_ns});
      BlockingCall one;
      one.call = name[row];
      one.kind = kinds[row];
      if (copy != copies.end()) one.copied = copy->second.name;
      if (ops_around_) look_around(ops_around_->innermost(tid, start_ns, start_ns + dur_ns), one);
      if (!one.source) one.source = python_frame(tid, start_ns);
      add(one, start_ns, dur_ns, calls[runtime_api::step].get(row), calls[runtime_api::src_pos][row]);
    });
    file_ = calls.source_file();
  }

  // Where traces leave the driver's calls out.
  void add_reads() {
    if (!ops_) return;
    const auto name = (*ops_)[host_op::name];
    call_.for_each_row(ops_->rows(), [&](uint64_t row) {
      if (!reads_scalar(name[row]) || (step_ && (*ops_)[host_op::step].get(row) != step_)) return;
      const auto outer = ops_around_->outer(row);
      if (outer && reads_scalar(name[*outer])) return;
      const int64_t start_ns = (*ops_)[host_op::start_ns][row], dur_ns = (*ops_)[host_op::dur_ns][row];
      const int64_t tid = (*ops_)[host_op::tid][row];
      if (blocks_inside(tid, start_ns, start_ns + dur_ns)) return;
      BlockingCall one;
      one.call = name[row];
      one.kind = "read";
      look_around(outer, one);
      if (!one.source) one.source = python_frame(tid, start_ns);
      add(one, start_ns, dur_ns, (*ops_)[host_op::step].get(row), (*ops_)[host_op::src_pos][row]);
    });
    if (file_.empty()) file_ = ops_->source_file();
  }

  BlockingCalls take() {
    BlockingCalls out;
    out.groups = std::move(groups_);
    std::sort(out.groups.begin(), out.groups.end(), [](const BlockingCall& a, const BlockingCall& b) {
      return std::tie(b.idle_ns, b.total_ns, a.call, a.op, a.within, a.source, a.copied) <
             std::tie(a.idle_ns, a.total_ns, b.call, b.op, b.within, b.source, b.copied);
    });
    for (const Interval& one : unite(std::move(all_))) out.idle_ns += idle_.within_ns(one.start_ns, one.end_ns);
    out.file = file_;
    return out;
  }

 private:
  void look_around(std::optional<uint64_t> op, BlockingCall& one) const {
    const auto name = (*ops_)[host_op::name], stack = (*ops_)[host_op::stack];
    for (; op && !is_step(name[*op]); op = ops_around_->outer(*op)) {
      if (!one.op) one.op = name[*op];
      one.within = name[*op];
      if (!one.source) one.source = frame_of(stack.get(*op));
    }
    if (one.within == one.op) one.within = std::nullopt;
  }

  static std::optional<std::string_view> frame_of(std::optional<std::string_view> stack) {
    std::vector<std::string_view> frames;
    for (std::string_view rest = stack.value_or(""); !rest.empty();) {
      const size_t end = std::min(rest.find(';'), rest.size());
      frames.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return frame_to_look_at(frames);
  }

  std::optional<std::string_view> python_frame(int64_t tid, int64_t at_ns) const {
    if (!python_around_) return std::nullopt;
    std::vector<std::string_view> frames;
    for (auto row = python_around_->innermost(tid, at_ns, at_ns); row; row = python_around_->outer(*row)) {
      frames.push_back((*python_)[python_call::name][*row]);
    }
    return frame_to_look_at(frames);
  }

  bool blocks_inside(int64_t tid, int64_t start_ns, int64_t end_ns) const {
    const auto thread = blocked_.find(tid);
    if (thread == blocked_.end()) return false;
    const auto next = std::partition_point(thread->second.begin(), thread->second.end(),
                                           [start_ns](const Interval& one) { return one.start_ns < start_ns; });
    return next != thread->second.end() && next->start_ns < end_ns;
  }

  void add(const BlockingCall& one, int64_t start_ns, int64_t dur_ns, std::optional<int64_t> step, int64_t row) {
    const auto [it, added] =
        index_.try_emplace(std::tuple{one.call, one.copied, one.op, one.within, one.source}, groups_.size());
    if (added) groups_.push_back(one);
    BlockingCall& group = groups_[it->second];
    ++group.count;
    group.total_ns += dur_ns;
    group.idle_ns += idle_.within_ns(start_ns, start_ns + dur_ns);
    all_.push_back({start_ns, start_ns + dur_ns});
    if (dur_ns <= group.longest_ns) return;
    group.longest_ns = dur_ns;
    group.longest_start_ns = start_ns;
    group.longest_step = step;
    group.row = row;
  }

  using Text = std::optional<std::string_view>;

  sdk::Call& call_;
  const DeviceIdle& idle_;
  std::optional<int64_t> step_;
  std::optional<sdk::TableView> ops_, python_;
  std::optional<EnclosingCalls> ops_around_, python_around_;
  std::map<std::tuple<std::string_view, Text, Text, Text, Text>, size_t> index_;
  std::vector<BlockingCall> groups_;
  Intervals all_;
  std::unordered_map<int64_t, Intervals> blocked_;  // by thread, in order of start
  std::string file_;
};

}  // namespace

std::optional<BlockingCalls> blocking_calls(sdk::Call& call, uint32_t rank, const sdk::TableView& kernels,
                                            const DeviceIdle& idle, std::optional<int64_t> step) {
  const auto driver = call.table(rank, runtime_api::kTable);
  if (!driver && !call.table(rank, host_op::kTable)) return std::nullopt;
  Gathering gathering(call, rank, idle, step);
  if (driver) gathering.add_driver_calls(*driver, copies_of(call, rank, kernels));
  gathering.add_reads();
  return gathering.take();
}

bool blocks_much(const BlockingCalls& calls, int64_t wall_ns) {
  return static_cast<double>(calls.idle_ns) > kBlockedOfTime * static_cast<double>(wall_ns);
}

std::string place_of(const BlockingCall& one) {
  std::string text = "`" + std::string(one.call) + "`";
  if (one.op) text += " in `" + std::string(*one.op) + "`";
  if (one.within) text += " of `" + std::string(*one.within) + "`";
  if (one.source) text += " at " + std::string(*one.source);
  return text;
}

std::string in_ms(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", static_cast<double>(ns) / 1e6);
  return text;
}

std::optional<std::string_view> frame_to_look_at(const std::vector<std::string_view>& frames) {
  const auto has_line = [](std::string_view frame) {
    const size_t open = frame.find('(');
    return open != std::string_view::npos && open > 0 && frame.front() != '<' && open + 1 < frame.size() &&
           frame[open + 1] >= '0' && frame[open + 1] <= '9';
  };
  const auto of_framework = [](std::string_view frame) {
    return frame.substr(0, 6) == "torch/" || contains(frame, "/torch/");
  };
  std::optional<std::string_view> first;
  for (const std::string_view frame : frames) {
    if (!has_line(frame)) continue;
    if (!of_framework(frame)) return frame;
    if (!first) first = frame;
  }
  return first;
}

}  // namespace stepwise::overview
