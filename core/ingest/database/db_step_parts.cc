// What step_trace_time.csv and analysis.db say of each step, from a profiler's database alone: by the profiler's own
// rules (docs/metrics.md, "Where a step's time goes"), so that a run answers alike with and without those files.
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ingest/database/db_kernels.h"
#include "stepwise/intervals.hpp"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace step = table::step;

/// Of one device.
struct Work {
  Intervals computing, communication, received;  // received: one for each operation, not united
};

/// Of one step, or of a run that has none.
struct Parts {
  int64_t computing_ns = 0, communication_ns = 0, not_overlapped_ns = 0, free_ns = 0, bubble_ns = 0;
  int64_t first_ns = 0, last_ns = 0;  // what it holds of all but bubble
  int64_t first_work_ns = 0;
  bool is_empty = true, has_work = false;
};

bool receives(std::string_view name) { return name.starts_with("hcom_receive"); }

using WorkOfDevices = std::map<std::optional<int64_t>, Work>;

/// Old files say of no collective on which device it ran; such a file is of one.
WorkOfDevices work_of_devices(const DbStrings& strings, const DbDevice& device) {
  WorkOfDevices out;
  const auto only = device.tasks.empty() ? std::nullopt : device.tasks.front().device;
  for (const DbKernel& one : device.kernels) {
    const DbTask& task = device.tasks[one.task];
    out[task.device].computing.push_back({task.start_ns, task.start_ns + task.dur_ns});
  }
  for (const DbCollective& one : device.collectives) {
    Work& work = out[one.device ? one.device : only];
    const Interval range{one.start_ns, one.start_ns + one.dur_ns};
    work.communication.push_back(range);
    if (receives(strings.find(one.name).value_or(""))) work.received.push_back(range);
  }
  for (auto& [number, work] : out) {
    work.computing = unite(std::move(work.computing));
    work.communication = unite(std::move(work.communication));
  }
  return out;
}

/// Each piece belongs whole to the step that holds its start. Without steps there is one of all.
class Division {
 public:
  explicit Division(const DbSteps& steps) : steps_(steps), parts_(std::max<size_t>(steps.list().size(), 1)) {}

  void add(const Intervals& pieces, int64_t Parts::*sum, bool is_work) {
    for (const Interval& piece : pieces) {
      Parts* const parts = part_at(piece.start_ns);
      if (parts == nullptr) continue;
      parts->*sum += piece.end_ns - piece.start_ns;
      if (is_work && (!parts->has_work || piece.start_ns < parts->first_work_ns)) parts->first_work_ns = piece.start_ns;
      parts->has_work |= is_work;
      if (parts->is_empty || piece.start_ns < parts->first_ns) parts->first_ns = piece.start_ns;
      if (parts->is_empty || piece.end_ns > parts->last_ns) parts->last_ns = piece.end_ns;
      parts->is_empty = false;
    }
  }
  void add_bubble(const Intervals& received) {
    for (const Interval& one : received) {
      if (Parts* const parts = part_at(one.start_ns)) parts->bubble_ns += one.end_ns - one.start_ns;
    }
  }
  const std::vector<Parts>& parts() const { return parts_; }

 private:
  Parts* part_at(int64_t time_ns) {
    if (steps_.list().empty()) return &parts_.front();
    const auto at = steps_.ranges().find(time_ns);
    return at ? &parts_[*at] : nullptr;
  }

  const DbSteps& steps_;
  std::vector<Parts> parts_;
};

/// `own`: nullptr for a run without steps.
void append(const Parts& parts, const DbSteps::Step* own, std::optional<int64_t> device, store::TableBuilder& rows) {
  rows.append_or_null(step::step, own == nullptr ? std::nullopt : std::optional(own->step));
  rows.append_or_null(step::device, device);
  rows.append(step::computing_ns, parts.computing_ns);
  rows.append(step::communication_ns, parts.communication_ns);
  rows.append(step::not_overlapped_ns, parts.not_overlapped_ns);
  rows.append(step::overlapped_ns, parts.communication_ns - parts.not_overlapped_ns);
  rows.append(step::free_ns, parts.free_ns);
  rows.append(step::stage_ns, std::max<int64_t>(0, parts.last_ns - parts.first_ns - parts.bubble_ns));
  rows.append(step::bubble_ns, parts.bubble_ns);
  rows.append(step::not_overlapped_exclude_receive_ns, std::max<int64_t>(0, parts.not_overlapped_ns - parts.bubble_ns));
  rows.append_or_null(step::preparing_ns, own == nullptr || !parts.has_work
                                              ? std::nullopt
                                              : std::optional(parts.first_work_ns - own->host_start_ns));
  rows.null(step::iteration_ns);
  rows.null(step::start_ns);
  rows.null(step::end_ns);
  rows.append(step::src_pos, own == nullptr ? 1 : own->src_pos);
  rows.end_row();
}

}  // namespace

void fill_steps(const DbStrings& strings, const DbDevice& device, const DbSteps& steps, const std::string& file,
                store::SegmentBuilder& out) {
  if (!steps.are_decomposed()) return;
  for (const auto& [number, work] : work_of_devices(strings, device)) {
    Intervals busy = work.computing;
    busy.insert(busy.end(), work.communication.begin(), work.communication.end());
    busy = unite(std::move(busy));
    if (busy.empty()) continue;
    Division division(steps);
    division.add(work.computing, &Parts::computing_ns, true);
    division.add(work.communication, &Parts::communication_ns, true);
    division.add(subtract(work.communication, work.computing), &Parts::not_overlapped_ns, false);
    division.add(subtract({{busy.front().start_ns, busy.back().end_ns}}, busy), &Parts::free_ns, false);
    division.add_bubble(work.received);
    for (size_t i = 0; i < division.parts().size(); ++i) {
      if (division.parts()[i].is_empty) continue;
      append(division.parts()[i], steps.list().empty() ? nullptr : &steps.list()[i], number, out.table(step::kTable));
      out.set_source_file(step::kTable, file);
    }
  }
}

}  // namespace stepwise::ingest
