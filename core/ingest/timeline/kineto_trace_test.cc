// Kineto traces of each age, by hand.
#include <string>
#include <vector>

#include "core/ingest/base/splitter_header.h"
#include "core/ingest/timeline/kineto_test_events.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace counter = table::counter;
namespace device_task = table::device_task;
namespace flow = table::flow;
namespace host_op = table::host_op;
namespace kernel = table::kernel;
namespace kernel_link = table::kernel_link;
namespace meta = table::meta;
namespace python_call = table::python_call;
namespace runtime_api = table::runtime_api;
namespace step = table::step;
namespace step_range = table::step_range;
namespace track = table::track;

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string>;

TEST_CASE("2021: capitals, threads as texts, External id of the operator") {
  const auto read = read_kineto_text(trace_of({
      slice("Operator", "ProfilerStep#5", "70", "\"70\"", "1000", "500", R"("External id": 1)"),
      slice("Operator", "aten::conv2d", "70", "\"70\"", "1010", "100",
            R"("External id": 2, "Input Dims": [[32, 3, 224], [], [[4], [2, 2]]], "Call stack": "a.py(1): f;b.py(2): g",
                "Sequence number": 9, "Trace name": "PyTorch Profiler")"),
      slice("Memcpy", "Memcpy HtoD (Pageable -> Device)", "0", "\"stream 7\"", "1300", "20",
            R"("device": 0, "stream": 7, "correlation": 31, "external id": 2, "bytes": 4096)"),
      arrow("f", "async", "31", "0", "\"stream 7\"", "1300"),
      slice("Runtime", "cudaMemcpyAsync", "70", "\"70\"", "1020", "30",
            R"("cbid": 41, "correlation": 31, "external id": 2)"),
      arrow("s", "async", "31", "70", "70", "1020"),
      slice("Kernel", "volta_sgemm", "0", "\"stream 7\"", "1330", "7",
            R"("device": 0, "stream": 7, "correlation": 99, "external id": 2)"),
      slice("Memset", "Memset (Device)", "0", "\"stream 7\"", "1340", "1",
            R"("device": 0, "stream": 7, "correlation": 98, "external id": 77, "bytes": 8)"),
      slice("Trace", "PyTorch Profiler (0)", "\"Traces\"", "\"PyTorch Profiler\"", "990", "600", R"("Op count": 0)"),
      R"({"ph": "i", "s": "t", "name": "[memory]", "pid": 70, "tid": 70, "ts": 1011,
          "args": {"Device Type": 0, "Device Id": -1, "Bytes": 4}})",
      R"({"ph": "i", "s": "t", "name": "[memory]", "pid": 70, "tid": 70, "ts": 1012,
          "args": {"Device Type": 1, "Device Id": 2, "Bytes": -512, "Addr": 99, "Total Allocated": 1024}})",
      R"({"ph": "i", "s": "g", "name": "Record Window End", "pid": "Traces", "tid": "x", "ts": 1600})",
  }));
  CHECK(read->texts(host_op::kTable, host_op::name) == Texts{"ProfilerStep#5", "aten::conv2d"});
  CHECK(read->texts(host_op::kTable, host_op::shapes) == Texts{"-", "32,3,224;;4;2,2"});
  CHECK(read->texts(host_op::kTable, host_op::stack) == Texts{"-", "a.py(1): f;b.py(2): g"});
  CHECK(read->nullable(host_op::kTable, host_op::link_id) == Numbers{-999, 9});
  // External id says what caused a kernel; it is no id of an execution trace.
  CHECK(read->nullable(host_op::kTable, host_op::external_id) == Numbers{-999, -999});
  CHECK(read->nullable(host_op::kTable, host_op::parent_id) == Numbers{-999, 0});
  CHECK(read->nullable(host_op::kTable, host_op::step) == Numbers{5, 5});
  CHECK(read->values(host_op::kTable, host_op::tid) == Numbers{70, 70});
  CHECK(read->texts(runtime_api::kTable, runtime_api::category) == Texts{"Runtime"});
  CHECK(read->values(runtime_api::kTable, runtime_api::link_id) == Numbers{31});

  CHECK(read->texts(kernel::kTable, kernel::name) ==
        Texts{"Memcpy HtoD (Pageable -> Device)", "volta_sgemm", "Memset (Device)"});
  CHECK(read->texts(kernel::kTable, kernel::class_) == Texts{"copy", "compute", "memset"});
  CHECK(read->values(kernel::kTable, kernel::start_ns) == Numbers{1300000, 1330000, 1340000});
  CHECK(read->values(kernel::kTable, kernel::dur_ns) == Numbers{20000, 7000, 1000});
  CHECK(read->values(kernel::kTable, kernel::stream) == Numbers{7, 7, 7});
  CHECK(read->nullable(kernel::kTable, kernel::device) == Numbers{0, 0, 0});
  CHECK(read->nullable(kernel::kTable, kernel::bytes) == Numbers{4096, -999, 8});
  CHECK(read->nullable(kernel::kTable, kernel::correlation_id) == Numbers{31, 99, 98});
  CHECK(read->texts(kernel::kTable, kernel::op_type) == Texts{"-", "-", "-"});
  CHECK(read->segment.table(kernel::kTable).column(kernel::block_dim).null_count == 3);
  // By its call; by its operator; not at all, so by its own time.
  CHECK(read->nullable(kernel::kTable, kernel::step) == Numbers{5, 5, 5});
  CHECK(read->values(kernel_link::kTable, kernel_link::kernel_id) == Numbers{0, 1});
  CHECK(read->values(kernel_link::kTable, kernel_link::host_op_id) == Numbers{1, 1});
  CHECK(read->nullable(kernel_link::kTable, kernel_link::runtime_api_id) == Numbers{0, -999});
  CHECK(read->texts(kernel_link::kTable, kernel_link::how) == Texts{"correlation", "external_id"});
  CHECK(read->nullable(kernel_link::kTable, kernel_link::step) == Numbers{5, 5});

  CHECK(read->texts(flow::kTable, flow::kind) == Texts{"async"});
  CHECK(read->texts(flow::kTable, flow::src_table) == Texts{"runtime_api"});
  CHECK(read->texts(flow::kTable, flow::dst_table) == Texts{"kernel"});
  CHECK(read->texts(device_task::kTable, device_task::lane) == Texts{"span"});
  CHECK(read->texts(device_task::kTable, device_task::task_type) == Texts{"Trace"});
  CHECK(read->values(step::kTable, step::step) == Numbers{5});
  CHECK(read->values(step::kTable, step::end_ns) == Numbers{1500000});
  CHECK(read->segment.table(step::kTable).column(step::computing_ns).null_count == 1);
  CHECK(read->rows(step_range::kTable) == 1);
  CHECK(read->texts(counter::kTable, counter::name) == Texts{"[memory] CPU", "[memory] device 2", "[memory] device 2"});
  CHECK(read->texts(counter::kTable, counter::series) == Texts{"Bytes", "Bytes", "Total Allocated"});
  CHECK(read->segment.table(counter::kTable).column(counter::value).f64 == std::vector<double>{4, -512, 1024});
  CHECK(read->text(Diag::event_other_phase).find("1 of phase i") != std::string::npos);
  CHECK(read->losses() == 1);
}

TEST_CASE("what an allocator held: one row for each instant that has totals; what cannot be is unknown") {
  namespace memory = table::memory;
  const auto instant = [](const char* ts, const char* arguments) {
    return std::string(R"({"ph": "i", "s": "t", "name": "[memory]", "pid": 70, "tid": 70, "ts": )") + ts +
           R"(, "args": {)" + arguments + "}}";
  };
  const auto read = read_kineto_text(trace_of({
      slice("Operator", "aten::empty", "70", "70", "1000", "100", R"("External id": 1)"),
      instant("1020",
              R"("Device Type": 1, "Device Id": 2, "Bytes": 512, "Total Allocated": 1536, "Total Reserved": 4096)"),
      instant("1010", R"("Device Type": 1, "Device Id": 2, "Bytes": -512, "Total Allocated": 1024)"),
      instant("1030", R"("Device Type": 0, "Device Id": -1, "Bytes": 4, "Total Allocated": 8, "Total Reserved": -1)"),
      instant("1040", R"("Device Type": 0, "Device Id": -1, "Bytes": 4)"),
      instant("1050", R"("Device Type": 0, "Device Id": -1, "Bytes": 4, "Total Allocated": 9223372036854775807)"),
  }));
  CHECK(read->texts(memory::kTable, memory::component) == Texts{"device 2", "device 2", "CPU"});
  CHECK(read->texts(memory::kTable, memory::device) == Texts{"GPU:2", "GPU:2", "-"});
  CHECK(read->values(memory::kTable, memory::ts_ns) == Numbers{1010000, 1020000, 1030000});
  CHECK(read->nullable(memory::kTable, memory::allocated_bytes) == Numbers{1024, 1536, 8});
  CHECK(read->nullable(memory::kTable, memory::reserved_bytes) == Numbers{-999, 4096, -999});
}

TEST_CASE("2023: the device's External id repeats its correlation, and names no operator") {
  const auto read = read_kineto_text(trace_of({
      slice("user_annotation", "ProfilerStep#10", "70", "70", "1000", "100", R"("External id": 31)"),
      slice("cpu_op", "aten::mm", "70", "71", "1010", "50", R"("External id": 32)"),
      slice("cpu_op", "aten::inner", "70", "71", "1020", "20", R"("External id": 33)"),
      slice("cpu_op", "aten::next", "70", "71", "1040", "10", R"("External id": 34)"),
      slice("cuda_runtime", "cudaLaunchKernel", "70", "71", "1040", "5", R"("External id": 31, "correlation": 31)"),
      slice("cuda_runtime", "cudaLaunchKernel", "70", "71", "1058", "9", R"("External id": 32, "correlation": 32)"),
      slice("cuda_runtime", "cudaLaunchKernel", "70", "70", "1100", "5", R"("External id": 33, "correlation": 33)"),
      arrow("f", "ac2g", "32", "70", "71", "1058"),
      slice("kernel", "ncclKernel_AllReduce_RING_LL_Sum_float()", "1", "20", "1900", "5",
            R"("External id": 31, "device": 1, "stream": 20, "correlation": 31)"),
      slice("kernel", "late", "1", "20", "1910", "5", R"("External id": 33, "stream": 20, "correlation": 33)"),
      slice("kernel", "before", "1", "20", "1050", "5", R"("External id": 34, "correlation": 34)"),
      slice("kernel", "second", "1", "20", "1920", "5", R"("External id": 32, "stream": 21, "correlation": 32)"),
      arrow("f", "ac2g", "34", "1", "20", "1050"),
      slice("cuda_sync", "Stream Sync", "1", "20", "1905", "9", R"("stream": 20, "correlation": 40)"),
  }));
  CHECK(read->texts(kernel::kTable, kernel::name) ==
        Texts{"before", "ncclKernel_AllReduce_RING_LL_Sum_float()", "late", "second"});
  CHECK(read->texts(kernel::kTable, kernel::class_) == Texts{"compute", "communication", "compute", "compute"});
  // Where no argument says it, the process is the device and the thread the stream.
  CHECK(read->values(kernel::kTable, kernel::device) == Numbers{1, 1, 1, 1});
  CHECK(read->values(kernel::kTable, kernel::stream) == Numbers{20, 20, 20, 21});
  // "before" has no launch: its own time; "late" was launched just behind the step.
  CHECK(read->nullable(kernel::kTable, kernel::step) == Numbers{10, 10, -999, 10});
  CHECK(read->values(kernel_link::kTable, kernel_link::kernel_id) == Numbers{1, 2, 3});
  // aten::next begins with the call, when aten::inner has just ended; the launch of "late" is on another thread.
  CHECK(read->nullable(kernel_link::kTable, kernel_link::host_op_id) == Numbers{3, -999, 1});
  CHECK(read->values(kernel_link::kTable, kernel_link::runtime_api_id) == Numbers{0, 2, 1});
  CHECK(read->nullable(kernel_link::kTable, kernel_link::step) == Numbers{10, -999, 10});
  CHECK(read->texts(device_task::kTable, device_task::lane) == Texts{"cuda_sync"});
  CHECK(read->nullable(device_task::kTable, device_task::connection_id) == Numbers{40});
  // An end without a start is usual on a call, and a loss on a kernel.
  CHECK(read->lost(Diag::event_unpaired) == 1);
  CHECK(read->losses() == 1);
}

TEST_CASE("now: times count from a base that stands behind the events") {
  const std::vector<std::string> events{
      slice("user_annotation", "ProfilerStep#2", "70", "70", "1428625731896.179", "50.5",
            R"("External id": 4, "Record function id": 0)"),
      slice("python_function", "a.py(1): f", "70", "70", "1428625731896.5", "3.25",
            R"("Python parent id": null, "Python id": 8, "Ev Idx": 3)"),
      slice("cpu_op", "triton_poi_fused_add_0", "70", "70", "1428625731897", "20",
            R"("External id": 5, "stream": 0, "Input Dims": [], "Input Strides": [[1]], "Call stack": "",
                "Record function id": 12)"),
      slice("cuda_driver", "cuLaunchKernel", "70", "70", "1428625731897.001", "2", R"("correlation": 6)"),
      slice("kernel", "triton_poi_fused_add_0", "0", "7", "1428625731899.004", "1.76",
            R"("External id": 5, "device": 0, "stream": 7, "correlation": 6, "grid": [1, 1, 1])"),
      slice("gpu_user_annotation", "ProfilerStep#2", "0", "7", "1428625731899.004", "9.5", R"("External id": 4)"),
      slice("overhead", "Buffer Flush", "-1", "0", "1428625731890", "1", ""),
      R"({"ph": "C", "name": "GPU memory", "pid": 0, "ts": 1428625731899, "args": {"Allocated": 12}})",
  };
  const std::string base = R"("displayTimeUnit": "ms", "baseTimeNanoseconds": 1751410836000000000)";
  const auto read = read_kineto_text(trace_of(events, R"("schemaVersion": 1)", base));
  constexpr int64_t kFirst = 1751410836000000000 + 1428625731896179;
  CHECK(read->values(host_op::kTable, host_op::start_ns) == Numbers{kFirst, kFirst + 821});
  CHECK(read->values(kernel::kTable, kernel::start_ns) == Numbers{kFirst + 2825});
  CHECK(read->values(kernel::kTable, kernel::dur_ns) == Numbers{1760});
  CHECK(read->texts(host_op::kTable, host_op::shapes) == Texts{"-", ""});
  CHECK(read->texts(host_op::kTable, host_op::stack) == Texts{"-", "-"});
  CHECK(read->values(step::kTable, step::step) == Numbers{2});
  CHECK(read->values(step::kTable, step::start_ns) == Numbers{kFirst});
  CHECK(read->values(python_call::kTable, python_call::link_id) == Numbers{8});
  CHECK(read->values(counter::kTable, counter::ts_ns) == Numbers{kFirst + 2821});
  CHECK(read->texts(device_task::kTable, device_task::lane) == Texts{"overhead", "gpu_user_annotation"});
  CHECK(read->nullable(host_op::kTable, host_op::external_id) == Numbers{-999, 12});
  CHECK(read->values(kernel_link::kTable, kernel_link::host_op_id) == Numbers{1});
  CHECK(read->texts(meta::kTable, meta::key) == Texts{"schemaVersion", "displayTimeUnit", "baseTimeNanoseconds"});
  CHECK(read->losses() == 0);
}

TEST_CASE("ROCm: calls are called hip*, and have arguments of kernels") {
  const auto read = read_kineto_text(trace_of({
      slice("cpu_op", "aten::mul", "70", "70", "10", "5", R"("External id": 6)"),
      slice(
          "cuda_runtime", "hipLaunchKernel", "70", "70", "11.5", "2",
          R"("External id": 6, "cid": 50, "correlation": 5, "kernel": "k", "stream": "0x1", "bytes": "x", "grid": [1])"),
      slice("kernel", "k", "2", "0", "12", "1.5",
            R"("External id": 6, "device": 2, "stream": 0, "correlation": 5, "kind": "Dispatch Kernel")"),
  }));
  CHECK(read->texts(runtime_api::kTable, runtime_api::name) == Texts{"hipLaunchKernel"});
  CHECK(read->values(kernel::kTable, kernel::device) == Numbers{2});
  CHECK(read->values(kernel_link::kTable, kernel_link::host_op_id) == Numbers{0});
  CHECK(read->losses() == 0);
}

TEST_CASE("CPU only: operators and steps, and no kernel") {
  const auto read = read_kineto_text(trace_of({slice("user_annotation", "ProfilerStep#7", "1", "1", "5", "9"),
                                               slice("cpu_op", "aten::add", "1", "1", "6", "1")},
                                              R"("distributedInfo": {"rank": 3})"));
  CHECK(read->rows(host_op::kTable) == 2);
  CHECK(read->values(step::kTable, step::end_ns) == Numbers{14000});
  CHECK_FALSE(read->segment.has(kernel::kTable));
  CHECK_FALSE(read->segment.has(kernel_link::kTable));
  CHECK(read->texts(meta::kTable, meta::key) == Texts{"distributedInfo.rank"});
}

TEST_CASE("of several calls with one correlation id the last one before the kernel launched it") {
  std::vector<std::string> events;
  for (const char* ts : {"10", "20", "30"}) {
    events.push_back(slice("cuda_runtime", "cudaLaunchKernel", "1", "1", ts, "1", R"("correlation": 4)"));
  }
  events.push_back(slice("kernel", "early", "0", "7", "5", "1", R"("correlation": 4)"));
  events.push_back(slice("kernel", "k", "0", "7", "25", "1", R"("correlation": 4)"));
  events.push_back(slice("kernel", "none", "0", "7", "26", "1", R"("correlation": 0)"));
  const auto read = read_kineto_text(trace_of(events));
  CHECK(read->values(kernel_link::kTable, kernel_link::kernel_id) == Numbers{0, 1});
  CHECK(read->values(kernel_link::kTable, kernel_link::runtime_api_id) == Numbers{0, 1});
}

TEST_CASE("an arrow lies on the slice with its id where several begin at one time") {
  const auto read = read_kineto_text(trace_of({
      slice("cuda_runtime", "first", "1", "1", "10", "0", R"("correlation": 4)"),
      arrow("s", "ac2g", "4", "1", "1", "10"),
      slice("cuda_runtime", "second", "1", "1", "10", "0", R"("correlation": 5)"),
      arrow("s", "ac2g", "5", "1", "1", "10"),
      slice("kernel", "a", "0", "7", "20", "1", R"("correlation": 4)"),
      arrow("f", "ac2g", "4", "0", "7", "20"),
      slice("kernel", "b", "0", "7", "20", "0", R"("correlation": 5)"),
      arrow("f", "ac2g", "5", "0", "7", "20"),
  }));
  CHECK(read->values(flow::kTable, flow::src_id) == Numbers{0, 1});
  CHECK(read->values(flow::kTable, flow::dst_id) == Numbers{0, 1});
  CHECK(read->losses() == 0);
}

TEST_CASE("processes and threads that are called by a text are numbered, and called so") {
  const std::string named = R"({"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}})";
  const std::string again = R"({"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "other"}})";
  const std::string labels = R"({"ph": "M", "name": "process_labels", "pid": 0, "args": {"labels": "GPU 0"}})";
  const auto read = read_kineto_text(
      trace_of({named, again, labels, slice("kernel", "k", "0", "\"stream 7\"", "5", "1"),
                slice("Trace", "whole", "\"Spans\"", "\"PyTorch Profiler\"", "0", "9"),
                slice("Trace", "part", "\"Spans\"", "\"PyTorch Profiler\"", "1", "2"),
                R"({"ph": "M", "name": "process_sort_index", "pid": "Spans", "tid": 0, "args": {"sort_index": 5}})"}));
  CHECK(read->texts(track::kTable, track::process_name) == Texts{"python", "python", "Spans", "Spans"});
  CHECK(read->texts(track::kTable, track::thread_name) == Texts{"-", "stream 7", "-", "PyTorch Profiler"});
  CHECK(read->texts(track::kTable, track::labels) == Texts{"GPU 0", "GPU 0", "-", "-"});
  const Numbers pids = read->values(track::kTable, track::pid), tids = read->nullable(track::kTable, track::tid);
  CHECK(pids[2] < -1);
  CHECK(pids[3] == pids[2]);
  CHECK(tids[1] == 7);
  CHECK(tids[3] < -1);
  CHECK(tids[3] != pids[3]);
  CHECK(read->values(device_task::kTable, device_task::depth) == Numbers{0, 1});
  // The same numbers in every trace.
  const auto other = read_kineto_text(trace_of({slice("Trace", "w", "\"Spans\"", "\"x\"", "0", "9")}));
  CHECK(other->values(track::kTable, track::pid) == Numbers{pids[2], pids[2]});
}

TEST_CASE("what the trace says of itself is flattened, on both sides of the events") {
  const auto read = read_kineto_text(trace_of(
      {}, R"("schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A100"}, {"id": 1, "name": "A100"}])",
      R"("distributedInfo": {"backend": "nccl", "rank": 3, "pg_config": [{"ranks": [0, 1]}]}, "with_stack": null,
         "traceName": "é\/x", "INFO": ["a", "b"], "bad": {"a": 01})"));
  CHECK(read->texts(meta::kTable, meta::key) ==
        Texts{"schemaVersion", "deviceProperties.0.id", "deviceProperties.0.name", "deviceProperties.1.id",
              "deviceProperties.1.name", "distributedInfo.backend", "distributedInfo.pg_config.0.ranks",
              "distributedInfo.rank", "with_stack", "traceName", "INFO"});
  CHECK(read->texts(meta::kTable, meta::value) ==
        Texts{"1", "0", "A100", "1", "A100", "nccl", "[0,1]", "3", "-", "é/x", R"(["a","b"])"});
  CHECK(read->texts(meta::kTable, meta::file).front() == "trace.json");
  CHECK(read->lost(Diag::json_syntax) == 1);
  CHECK(read->losses() == 1);

  const std::string long_text(TopLevelObject::kMaxValueBytes, 'x');
  const auto left_out = read_kineto_text(trace_of({}, "\"long\": \"" + long_text + "\", \"a\": 1"));
  CHECK(left_out->texts(meta::kTable, meta::key) == Texts{"a"});
  CHECK(left_out->lost(Diag::json_too_long) == 1);
}

}  // namespace
}  // namespace stepwise::ingest
