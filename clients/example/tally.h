// Sums over one rank's timeline: what summary files and the truth are made of.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/example/overlap.h"
#include "clients/example/program.h"
#include "clients/example/timeline.h"

namespace stepwise::example {

struct DurationSum {
  __extension__ using Wide = unsigned __int128;
  int64_t count = 0, total_ns = 0, min_ns = 0, max_ns = 0;
  Wide squares = 0;  // of ns

  void add(int64_t ns);
  int64_t average_ns() const { return (total_ns + count / 2) / count; }
  int64_t variance_milli_us2() const;  // of the population, in 1/1000 us^2
};

using TypeSums = std::map<std::pair<std::string_view, Core>, DurationSum>;
using NameSums = std::map<std::pair<std::string_view, std::string_view>, DurationSum>;  // (name, type)
using ApiSums = std::map<std::pair<std::string, std::string_view>, DurationSum>;        // (name, level)

struct EventCounts {
  int64_t cpu_op = 0, enqueue = 0, dequeue = 0, python_function = 0, cann = 0, hardware = 0, planes = 0,
          collectives = 0, overlap = 0, flows = 0;
  int64_t total() const {
    return cpu_op + enqueue + dequeue + python_function + cann + hardware + planes + collectives + overlap + flows;
  }
};

/// Host time of the stages in one step; 0 and absent are the same: no such range.
struct StageTimes {
  std::array<int64_t, kStages> main_ns{};         // on the main thread
  std::array<int64_t, kStages> all_threads_ns{};  // union over threads
  std::array<Intervals, kStages> ranges;          // of all threads, as they were
  int64_t result_wait_ns = 0;                     // in calls that wait for a fetch
};

class Tally : public TimelineSink {
 public:
  void host_op(const HostOp& op) override;
  void enqueue(const QueueEvent&) override { counts.enqueue += 1, counts.flows += 1; }
  void dequeue(const QueueEvent&) override { counts.dequeue += 1, counts.flows += 1; }
  void cann(const CannCall& call) override;
  void task(const DeviceTask& task) override;
  void kernel(const KernelRun& run) override;
  void plane_task(const PlaneTask&) override { ++counts.planes; }
  void collective(const CollectiveRun& run) override;
  void launch_flow(const LaunchFlow&) override { counts.flows += 2; }
  void backward_flow(int64_t, int64_t, int64_t) override { counts.flows += 2; }
  void python(const PythonFrame& frame) override;
  void step_end(const StepRange& range) override;

  EventCounts counts;
  int64_t kernels = 0;
  int64_t first_ns = 0, last_ns = 0;  // of the whole timeline
  // Recording starts before and ends after the script's part, as the profiler's own does.
  int64_t recording_start_ns() const { return first_ns - 4'000'000; }
  int64_t recording_end_ns() const { return last_ns + 3'000'000; }
  TypeSums by_type;
  NameSums by_name;
  ApiSums by_api;
  std::vector<CollectiveRun> collectives;
  std::vector<StageTimes> stages;  // by step
  OverlapAnalysis overlap;

 private:
  StageTimes open_stages_;
};

}  // namespace stepwise::example
