#include "clients/example/trace_writer.h"

#include <string>
#include <utility>
#include <vector>

#include "clients/example/text_file.h"
#include "clients/example/trace_sections.h"

namespace stepwise::example {
namespace {

constexpr int64_t kControlTasks = 2;  // PROFILING_ENABLE, PROFILING_DISABLE

void write_all(TraceArray& out, const std::vector<std::string>& events) {
  for (const std::string& event : events) out.next().text(event);
}

}  // namespace

int64_t trace_events_without_counters(const Facts& facts, const Model& model, const Tally& tally) {
  const TracePids pids(facts, model.topology(), 0);
  return tally.counts.total() + kControlTasks +
         static_cast<int64_t>(python_metadata(pids).size() + device_metadata(pids).size());
}

Result<TraceWritten> write_trace(const std::filesystem::path& path, const Facts& facts, const Model& model,
                                 const CollectiveSchedule& schedule, int rank, const Tally& tally, int64_t counters) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  const TracePids pids(facts, model.topology(), rank);
  TraceArray out{file};
  auto section = [&](TimelineSink&& sink) { run_rank(facts, model, schedule, rank, sink); };

  file.text("[");
  section(HostOpSection(out, pids));
  section(QueueSection(out, pids, true));
  section(QueueSection(out, pids, false));
  write_all(out, python_metadata(pids));
  section(BackwardFlowSection(out, pids));
  section(PythonSection(out, pids));
  write_all(out, device_metadata(pids));
  const int64_t start_ns = tally.recording_start_ns(), end_ns = tally.recording_end_ns();
  CounterSource samples(pids, start_ns, end_ns, counters);
  DeviceSection device(out, pids, samples, start_ns, end_ns);
  run_rank(facts, model, schedule, rank, device);
  device.finish();
  section(LaunchFlowSection(out, pids));
  file.text("]");

  SW_RETURN_IF_ERROR(file.close());
  return TraceWritten{out.events, file.bytes()};
}

}  // namespace stepwise::example
