#include <algorithm>

#include "clients/example/trace_sections.h"

namespace stepwise::example {
namespace {

constexpr Thread kAllThreads[] = {Thread::main,        Thread::backward,    Thread::prefetch,    Thread::update,
                                  Thread::queue_dense, Thread::queue_fetch, Thread::queue_update};

std::string number(int64_t value) { return std::to_string(value); }

/// torch_npu's own spelling puts "ph" first, msprof's puts it last.
std::string python_event(std::string_view what, int64_t pid, int64_t tid, const std::string& args) {
  return "{\"ph\": \"M\", \"name\": \"" + std::string(what) + "\", \"pid\": " + number(pid) +
         ", \"tid\": " + number(tid) + ", \"args\": {" + args + "}}";
}
std::string device_event(std::string_view what, int64_t pid, int64_t tid, const std::string& args) {
  return "{\"name\": \"" + std::string(what) + "\", \"pid\": " + number(pid) + ", \"tid\": " + number(tid) +
         ", \"args\": {" + args + "}, \"ph\": \"M\"}";
}

std::string name_arg(std::string_view name) { return "\"name\": \"" + std::string(name) + "\""; }
std::string sort_arg(int64_t index) { return "\"sort_index\": " + number(index); }

class DeviceMetadata {
 public:
  explicit DeviceMetadata(const TracePids& pids) : pids_(pids) {}

  void open(std::string_view name, int sort_index) {
    pid_ = pids_.process(sort_index);
    sort_index_ = sort_index;
    events.push_back(device_event("process_name", pid_, 0, name_arg(name)));
  }
  void thread(int64_t tid, const std::string& name) {
    events.push_back(device_event("thread_name", pid_, tid, name_arg(name)));
    events.push_back(device_event("thread_sort_index", pid_, tid, sort_arg(tid)));
  }
  void close(std::string_view label) {
    events.push_back(device_event("process_labels", pid_, 0, "\"labels\": \"" + std::string(label) + "\""));
    events.push_back(device_event("process_sort_index", pid_, 0, sort_arg(sort_index_)));
  }

  std::vector<std::string> events;

 private:
  const TracePids& pids_;
  int64_t pid_ = 0;
  int sort_index_ = 0;
};

}  // namespace

TracePids::TracePids(const Facts& facts, const Topology& topology, int which_rank)
    : python(2'000'000 + static_cast<int64_t>(facts.seed % 1'000) * 997 + which_rank * 64),
      device(which_rank % 16),
      planes(std::min(topology.largest(), 8)) {}

int64_t TracePids::thread(Thread which) const {
  // Threads of a process have ids near its own; the main thread's is the process's.
  constexpr int64_t kOffsets[] = {0, 41, 17, 23, 9, 10, 11};
  return python + kOffsets[static_cast<size_t>(which)];
}

std::vector<std::string> python_metadata(const TracePids& pids) {
  std::vector<std::string> events{python_event("process_name", pids.python, 0, name_arg("Python")),
                                  python_event("process_labels", pids.python, 0, "\"labels\": \"CPU\""),
                                  python_event("process_sort_index", pids.python, 0, sort_arg(0))};
  for (Thread which : kAllThreads) {
    const int64_t tid = pids.thread(which);
    events.push_back(python_event("thread_name", pids.python, tid, name_arg("Thread " + number(tid))));
    events.push_back(python_event("thread_sort_index", pids.python, tid, sort_arg(tid)));
  }
  return events;
}

std::vector<std::string> device_metadata(const TracePids& pids) {
  DeviceMetadata out(pids);
  out.open("Ascend Hardware", 13);
  out.thread(0, "Stream 0");
  for (int stream : kLaneStreams) out.thread(stream, "Stream " + number(stream));
  for (int stream : kGroupStreams) out.thread(stream, "Stream " + number(stream));
  out.close("NPU");
  constexpr std::pair<const char*, int> kCounters[] = {{"HBM", 17}, {"LLC", 18}, {"NPU MEM", 19}};
  for (const auto& [name, sort_index] : kCounters) {
    out.open(name, sort_index);
    out.close("NPU");
  }
  out.open("HCCL", 15);
  for (int group = 0; group < kGroups; ++group) {
    const int64_t row = pids.group_row(static_cast<Group>(group));
    out.thread(row, "Group " + number(group) + " Communication");
    for (int plane = 0; plane < pids.planes; ++plane) out.thread(row + plane + 1, "Plane " + number(plane));
  }
  out.close("NPU");
  out.open("CANN", 7);
  for (Thread which : kAllThreads) out.thread(pids.thread(which), "Thread " + number(pids.thread(which)));
  out.close("CPU");
  out.open("QoS", 22);
  out.close("NPU");
  out.open("Overlap Analysis", 23);
  constexpr const char* kRows[] = {"Computing", "Communication", "Communication(Not Overlapped)", "Free"};
  for (int row = 0; row < 4; ++row) out.thread(row, kRows[row]);
  out.close("NPU");
  out.open("AI Core Freq", 14);
  out.close("NPU");
  return std::move(out.events);
}

}  // namespace stepwise::example
