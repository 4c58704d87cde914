// What launched a kernel: the summary file's kernels, their slices in the timeline, and the way back to Python.
#include <filesystem>
#include <string>
#include <vector>

#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;
namespace kernel_link = table::kernel_link;

constexpr const char* kOutput = "ASCEND_PROFILER_OUTPUT";
constexpr const char* kHeader =
    "Name,Type,Accelerator Core,Stream ID,Task ID,Start Time(us),Duration(us),Wait Time(us)\n";
constexpr int kPython = 7, kCann = 7 << 10 | 7 << 5 | 31, kHardware = 20, kCommunication = 21;

std::string named(int pid, const std::string& name) {
  return R"({"ph": "M", "name": "process_name", "pid": )" + std::to_string(pid) + R"(, "tid": 0, "args": {"name": ")" +
         name + "\"}}";
}

std::string slice(const std::string& name, int pid, int tid, const std::string& ts, const std::string& dur,
                  const std::string& category = "", const std::string& args = "") {
  return R"({"ph": "X", "name": ")" + name + R"(", "pid": )" + std::to_string(pid) + R"(, "tid": )" +
         std::to_string(tid) + R"(, "ts": ")" + ts + R"(", "dur": )" + dur +
         (category.empty() ? "" : R"(, "cat": ")" + category + "\"") + R"(, "args": {)" + args + "}}";
}

std::string op(const std::string& name, int tid, const std::string& ts, const std::string& dur) {
  return slice(name, kPython, tid, ts, dur, "cpu_op");
}

std::string launch(int tid, const std::string& ts, const std::string& dur, int connection = -1) {
  return slice("Node@launch", kCann, tid, ts, dur, "",
               R"("level": "node")" + (connection < 0 ? "" : R"(, "connection_id": )" + std::to_string(connection)));
}

std::string task(const std::string& name, int task_id, const std::string& ts, int connection = -1, int stream = 2) {
  return slice(name, kHardware, stream, ts, "0.1", "",
               R"("Task Type": "AI_CORE", "Physic Stream Id": )" + std::to_string(stream) + R"(, "Task Id": )" +
                   std::to_string(task_id) +
                   (connection < 0 ? "" : R"(, "connection_id": )" + std::to_string(connection)));
}

std::string arrow(const char* ph, const std::string& kind, const std::string& id, int pid, int tid,
                  const std::string& ts) {
  return std::string(R"({"ph": ")") + ph + R"(", "cat": ")" + kind + R"(", "name": "n", "id": )" + id + R"(, "pid": )" +
         std::to_string(pid) + R"(, "tid": )" + std::to_string(tid) + R"(, "ts": ")" + ts + R"(", "bp": "e"})";
}

std::string row(const std::string& name, const std::string& core, const std::string& ids, const std::string& start) {
  return name + ",T," + core + "," + ids + "," + start + "\t,4.000,0\n";
}

struct Profile {
  Profile() {
    fs::create_directory(folder.path() / kOutput);
    for (const auto& [pid, name] : {std::pair(kPython, "Python"), std::pair(kCann, "CANN"),
                                    std::pair(kHardware, "Ascend Hardware"), std::pair(kCommunication, "HCCL")}) {
      events.push_back(named(pid, name));
    }
  }
  void add(const std::vector<std::string>& more) { events.insert(events.end(), more.begin(), more.end()); }

  Tables ingest(const std::string& rows, const IngestOptions& options = {}) const {
    std::string trace;
    for (const std::string& event : events) trace += (trace.empty() ? "[" : ",\n") + event;
    folder.write(std::string(kOutput) + "/trace_view.json", trace + "]");
    folder.write(std::string(kOutput) + "/kernel_details.csv", kHeader + rows);
    const auto layout = discover(folder.path());
    REQUIRE(layout.ok());
    Tables tables;
    const CancelFlag cancel;
    ProgressGauge progress;
    const RankLayout& rank = layout.value().ranks.at(0);
    REQUIRE(ingest_group(layout.value(), rank, table::Group::trace, cancel, progress, options, tables.builder()).ok());
    CHECK(progress.get().done == progress.get().total);
    return tables;
  }

  TemporaryFolder folder;
  std::vector<std::string> events;
};

/// "2 3 0 1 5 7 connection": kernel, operator, call, Python function, slice, step, how; nulls as "null".
std::vector<std::string> links(Tables& tables) {
  std::vector<std::string> out;
  for (uint64_t i = 0; i < tables.rows(kernel_link::kTable); ++i) {
    out.push_back(
        tables.row(kernel_link::kTable, i,
                   {"kernel_id", "host_op_id", "runtime_api_id", "python_call_id", "device_task_id", "step", "how"}));
  }
  return out;
}
}  // namespace

// Columns come in the order of the declaration: kernel, operator, call, Python function, slice, step, how.
TEST_CASE("kernel links: the queue, the thread, arrows of every form of id, and the slice alone") {
  Profile profile;
  profile.add({
      slice("train", kPython, 1, "100.000", "100", "python_function", R"("Python id": 1)"),
      op("ProfilerStep#3", 1, "90.000", "210"),
      // Behind the queue: asked for in the step, launched on another thread.
      op("aten::mm", 1, "110.000", "20"),
      slice("Enqueue@mm", kPython, 1, "115.000", "1", "enqueue", R"("correlation_id": 5)"),
      slice("Dequeue@mm", kPython, 2, "340.000", "20", "dequeue", R"("correlation_id": 5)"),
      launch(2, "345.000", "5", 9),
      task("MatMul", 11, "400.123", 9),
      // No queue: the operator that was running. Python's function has ended.
      op("aten::add", 1, "205.000", "15"),
      launch(1, "210.000", "2", 10),
      task("Add", 12, "410.000", 10),
      // Arrows only: ids of (11 << 32) - 1, of more than 64 bits, and the id itself; s lies inside the call.
      launch(2, "230.000", "5"),
      arrow("s", "HostToDevice", "\"47244640255\"", kCann, 2, "231.500"),
      task("Relu", 13, "420.000"),
      arrow("f", "HostToDevice", "\"47244640255\"", kHardware, 2, "420.000"),
      launch(2, "240.000", "5"),
      arrow("s", "HostToDevice", "\"79228162514264337593543950336\"", kCann, 2, "244.000"),
      task("Gelu", 14, "430.000"),
      arrow("f", "HostToDevice", "\"79228162514264337593543950336\"", kHardware, 2, "430.000"),
      // The operator's arrow goes before whatever was running.
      op("aten::mul", 1, "150.000", "5"),
      arrow("s", "async_npu", "1787762318066163835", kPython, 1, "150.000"),
      task("Mul", 15, "440.000"),
      arrow("f", "async_npu", "1787762318066163835", kHardware, 2, "440.000"),
      // 4294967295 is no connection.
      launch(2, "250.000", "1", -1),
      slice("Node@launch", kCann, 2, "252.000", "1", "", R"("level": "node", "connection_id": 4294967295)"),
      slice("Lonely", kHardware, 2, "450.000", "4", "",
            R"("Physic Stream Id": 2, "Task Id": 16, "connection_id": 4294967295)"),
  });
  // Rows of the file stand in any order; kernel_id is the table's row.
  Tables tables =
      profile.ingest(row("Mul", "AI_CORE", "2,15", "440.000") + row("MatMul", "AI_CORE", "2,11", "400.123") +
                     row("Add", "AI_CORE", "2,12", "410.000") + row("Relu", "AI_CORE", "2,13", "420.000") +
                     row("Gelu", "AI_CORE", "2,14", "430.000") + row("Lonely", "AI_CORE", "2,16", "450.000"));
  // host_op: ProfilerStep 0, mm 1, mul 2, add 3. runtime_api by start: 210, 230, 240, 250, 252, 345.
  CHECK(links(tables) == std::vector<std::string>{"0|1|5|0|0|3|connection", "1|3|0|null|1|3|connection",
                                                  "2|null|1|null|2|3|flow", "3|null|2|null|3|3|flow",
                                                  "4|2|null|0|4|3|flow", "5|null|null|null|5|null|time"});
  CHECK(tables.losses() == std::vector<std::string>{"kernel.unlinked 1"});
}

TEST_CASE("kernel links: files that round, and communication") {
  Profile profile;
  profile.add({
      task("Cast", 20, "500.400"),
      task("Cast", 21, "500.600"),
      task("Cast", 20, "511.100", -1, 3),
      // The task's number came round again on its stream.
      task("Cast", 20, "900.000"),
      slice("hcom_allReduce__1_0", kCommunication, 0, "600.001", "50", "", R"("connection_id": 30)"),
      slice("Memcpy", kCommunication, 1, "600.001", "50", "", R"("stream id": 9, "task id": 4, "task type": "Memcpy")"),
      slice("hcom_allReduce__1_0", kHardware, 5, "600.000", "9", "", R"("Physic Stream Id": 5, "Task Id": 1)"),
      launch(2, "490.000", "5", 30),
  });
  Tables tables = profile.ingest(row("Cast", "AI_CORE", "2,21", "501") + row("Cast", "AI_CORE", "2,20", "500") +
                                 row("hcom_allReduce__1_0", "HCCL", "N/A,N/A", "600.000") +
                                 row("Cast", "AI_CORE", "3,20", "500.9"));
  // device_task by start: 500.4, 500.6, 511.1, hcom on the stream, hcom, its copy, 900.
  // One slice of the right task is too far away; the collective's own lane goes before the exact start.
  CHECK(links(tables) == std::vector<std::string>{"0|null|null|null|0|null|time", "2|null|null|null|1|null|time",
                                                  "3|null|0|null|4|null|connection"});
  CHECK(tables.losses() == std::vector<std::string>{"kernel.not_in_timeline 1", "kernel.unlinked 3"});
}
}  // namespace stepwise::ingest
