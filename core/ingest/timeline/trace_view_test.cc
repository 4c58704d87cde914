#include "core/ingest/timeline/trace_view.h"

#include <string>
#include <vector>

#include "core/ingest/timeline/trace_test_read.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace counter = table::counter;
namespace device_task = table::device_task;
namespace flow = table::flow;
namespace host_op = table::host_op;
namespace overlap_span = table::overlap_span;
namespace python_call = table::python_call;
namespace queue = table::queue;
namespace runtime_api = table::runtime_api;
namespace step_range = table::step_range;
namespace track = table::track;

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string>;

std::string named(int64_t pid, const std::string& name) {
  return R"({"ph": "M", "name": "process_name", "pid": )" + std::to_string(pid) + R"(, "tid": 0, "args": {"name": ")" +
         name + "\"}}";
}

/// ts and dur as they stand in the file; `more` begins with a comma.
std::string slice(const std::string& name, int64_t pid, int64_t tid, const std::string& ts, const std::string& dur,
                  const std::string& more = "") {
  return R"({"ph": "X", "name": ")" + name + R"(", "pid": )" + std::to_string(pid) + R"(, "tid": )" +
         std::to_string(tid) + R"(, "ts": )" + ts + R"(, "dur": )" + dur + more + "}";
}

std::string flow_end(const char* ph, const std::string& kind, const std::string& id, int64_t pid, int64_t tid,
                     const std::string& ts) {
  return std::string(R"({"ph": ")") + ph + R"(", "cat": ")" + kind + R"(", "name": "n", "id": )" + id + R"(, "pid": )" +
         std::to_string(pid) + R"(, "tid": )" + std::to_string(tid) + R"(, "ts": )" + ts + R"(, "bp": "e"})";
}

std::string list(const std::vector<std::string>& events) {
  std::string text = "[";
  for (const std::string& event : events) text += (text.size() == 1 ? "" : ", ") + event;
  return text + "]";
}

constexpr const char* kHostOp = R"(, "cat": "cpu_op")";

TEST_CASE("host operators come in order, nested, with their steps and arguments") {
  const std::vector<std::string> events{
      slice("inner", 7, 1, "\"110.500\"", "20.25", kHostOp),
      slice("outer", 7, 1, "\"100.000\"", "50", R"(, "cat": "cpu_op", "args": {"Sequence number": 4, "Fwd thread id": 0,
            "Input Dims": "8,16;\r\n;\r\n16", "Call stack": "a.py(1): f;\r\nb.py(2): g"})"),
      slice("ProfilerStep#12", 7, 1, "\"99.000\"", "80.0", R"(, "cat": "cpu_op", "args": {"Sequence number": -1})"),
      slice("elsewhere", 7, 2, "105", "300", R"(, "cat": "user_annotation")"),
      slice("later", 7, 1, "179", "1", kHostOp),
  };
  const auto read = read_trace_text(list(events));
  CHECK(read->losses() == 0);
  CHECK(read->texts(host_op::kTable, host_op::name) ==
        Texts{"ProfilerStep#12", "outer", "elsewhere", "inner", "later"});
  CHECK(read->values(host_op::kTable, host_op::start_ns) == Numbers{99000, 100000, 105000, 110500, 179000});
  CHECK(read->values(host_op::kTable, host_op::dur_ns) == Numbers{80000, 50000, 300000, 20250, 1000});
  CHECK(read->nullable(host_op::kTable, host_op::parent_id) == Numbers{-999, 0, -999, 1, -999});
  CHECK(read->values(host_op::kTable, host_op::depth) == Numbers{0, 1, 0, 2, 0});
  CHECK(read->nullable(host_op::kTable, host_op::step) == Numbers{12, 12, 12, 12, -999});
  CHECK(read->nullable(host_op::kTable, host_op::link_id) == Numbers{-999, 4, -999, -999, -999});
  CHECK(read->texts(host_op::kTable, host_op::category) ==
        Texts{"cpu_op", "cpu_op", "user_annotation", "cpu_op", "cpu_op"});
  CHECK(read->texts(host_op::kTable, host_op::shapes) == Texts{"-", "8,16;;16", "-", "-", "-"});
  CHECK(read->texts(host_op::kTable, host_op::stack) == Texts{"-", "a.py(1): f;\nb.py(2): g", "-", "-", "-"});
  CHECK(read->values(host_op::kTable, host_op::pid) == Numbers{7, 7, 7, 7, 7});
  CHECK(read->values(host_op::kTable, host_op::tid) == Numbers{1, 1, 2, 1, 1});
  const auto at = [text = list(events)](const std::string& name) {
    return static_cast<int64_t>(text.find(R"({"ph": "X", "name": ")" + name + "\""));
  };
  CHECK(read->values(host_op::kTable, host_op::src_pos) ==
        Numbers{at("ProfilerStep#12"), at("outer"), at("elsewhere"), at("inner"), at("later")});

  CHECK(read->values(step_range::kTable, step_range::step) == Numbers{12});
  CHECK(read->values(step_range::kTable, step_range::start_ns) == Numbers{99000});
  CHECK(read->values(step_range::kTable, step_range::dur_ns) == Numbers{80000});
}

TEST_CASE("each process and category has its table, whether its name stands before or behind") {
  std::vector<std::string> events{
      slice(
          "MatMul", 20, 3, "\"10.000\"", "4.5",
          R"(, "args": {"Model Id": 4294967295, "Task Type": "AI_CORE", "Physic Stream Id": 3, "Task Id": 9, "connection_id": 77})"),
      slice("Old", 20, 3, "\"20.000\"", "1", R"(, "args": {"Stream Id": 5})"),
      slice("hcom_allReduce__1", 21, 0, "\"11.000\"", "2", R"(, "args": {"connection_id": 78, "model id": 1})"),
      slice("Notify_Wait", 21, 1, "\"11.000\"", "1",
            R"(, "args": {"stream id": 4, "task id": 8, "task type": "Notify_Wait", "model id": 2})"),
      slice("Node@launch", 22, 5, "\"1.000\"", "2", R"(, "args": {"level": "node", "connection_id": 77})"),
      slice("bare", 22, 5, "\"1.500\"", "0.5"),
      slice("Computing", 23, 9, "\"10.000\"", "4.5", R"(, "args": {})"),
      slice("Free", 23, 9, "\"14.500\"", "1"),
      slice("f", 7, 1, "\"1.000\"", "9",
            R"(, "cat": "python_function", "args": {"Python id": 31, "Python parent id": 30})"),
      slice("Enqueue@aclnnMm", 7, 1, "\"2.000\"", "1", R"(, "cat": "enqueue", "args": {"correlation_id": 5})"),
      slice("Enqueue", 7, 1, "\"4.000\"", "1", R"(, "cat": "enqueue")"),
      slice("Dequeue@aclnnMm", 7, 2, "\"3.000\"", "1", R"(, "cat": "dequeue", "args": {"correlation_id": "5"})"),
  };
  const std::vector<std::string> names{named(7, "Python"), named(20, "Ascend Hardware"), named(21, "HCCL"),
                                       named(22, "CANN"), named(23, "Overlap Analysis")};
  const bool names_first = GENERATE(true, false);
  events.insert(names_first ? events.begin() : events.end(), names.begin(), names.end());
  const auto read = read_trace_text(list(events));
  CHECK(read->losses() == 0);

  CHECK(read->texts(device_task::kTable, device_task::name) ==
        Texts{"MatMul", "hcom_allReduce__1", "Notify_Wait", "Old"});
  CHECK(read->texts(device_task::kTable, device_task::lane) ==
        Texts{"hardware", "communication", "communication", "hardware"});
  CHECK(read->nullable(device_task::kTable, device_task::stream) == Numbers{3, -999, 4, 5});
  CHECK(read->nullable(device_task::kTable, device_task::task_id) == Numbers{9, -999, 8, -999});
  CHECK(read->nullable(device_task::kTable, device_task::model_id) == Numbers{4294967295, 1, 2, -999});
  CHECK(read->nullable(device_task::kTable, device_task::connection_id) == Numbers{77, 78, -999, -999});
  CHECK(read->texts(device_task::kTable, device_task::task_type) == Texts{"AI_CORE", "-", "Notify_Wait", "-"});

  CHECK(read->texts(runtime_api::kTable, runtime_api::name) == Texts{"Node@launch", "bare"});
  CHECK(read->texts(runtime_api::kTable, runtime_api::category) == Texts{"Node", "-"});
  CHECK(read->nullable(runtime_api::kTable, runtime_api::link_id) == Numbers{77, -999});
  CHECK(read->nullable(runtime_api::kTable, runtime_api::parent_id) == Numbers{-999, 0});

  CHECK(read->texts(overlap_span::kTable, overlap_span::kind) == Texts{"Computing", "Free"});
  CHECK(read->values(overlap_span::kTable, overlap_span::dur_ns) == Numbers{4500, 1000});
  CHECK(read->nullable(python_call::kTable, python_call::link_id) == Numbers{31});
  CHECK(read->texts(queue::kTable, queue::name) == Texts{"aclnnMm", "aclnnMm", "Enqueue"});
  CHECK(read->texts(queue::kTable, queue::kind) == Texts{"enqueue", "dequeue", "enqueue"});
  CHECK(read->nullable(queue::kTable, queue::link_id) == Numbers{5, 5, -999});
}

TEST_CASE("slices of a process without a name go by what they say") {
  const auto read = read_trace_text(list({
      slice("a", 1, 1, "1", "1", R"(, "args": {"Task Type": "AI_CORE"})"),
      slice("b", 1, 1, "2", "1", R"(, "args": {"task type": "SDMA"})"),
      slice("Node@c", 1, 1, "3", "1", R"(, "args": {"level": "node"})"),
      slice("Free", 1, 1, "4", "1"),
      slice("d", 1, 2, "5", "1"),
      slice("e", 1, 3, "6", "1"),
      slice("f", 1, 4, "7", "1"),
      R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "Stream 2"}})",
      R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": 3, "args": {"name": "Plane 0"}})",
  }));
  CHECK(read->texts(device_task::kTable, device_task::name) == Texts{"a", "b", "d", "e"});
  CHECK(read->texts(device_task::kTable, device_task::lane) ==
        Texts{"hardware", "communication", "hardware", "communication"});
  CHECK(read->texts(runtime_api::kTable, runtime_api::name) == Texts{"Node@c"});
  CHECK(read->texts(overlap_span::kTable, overlap_span::kind) == Texts{"Free"});
  CHECK(read->lost(Diag::event_other_phase) == 1);
}

TEST_CASE("counters have a row for each series") {
  const auto read = read_trace_text(list({
      R"({"name": "bandwidth", "ts": "20.000", "pid": 5, "tid": 0, "args": {"value": 7, "acc_id": 1}, "ph": "C"})",
      R"({"name": "freq", "ts": "10.500", "pid": 6, "args": {"MHz": 1800.5}, "ph": "C"})",
      R"({"name": "sum", "ts": "10.500", "pid": 6, "args": {"a": -1, "b": 9007199254740993}, "ph": "C"})",
  }));
  CHECK(read->losses() == 0);
  CHECK(read->texts(counter::kTable, counter::name) == Texts{"freq", "sum", "sum", "bandwidth", "bandwidth"});
  CHECK(read->texts(counter::kTable, counter::series) == Texts{"MHz", "a", "b", "value", "acc_id"});
  CHECK(read->values(counter::kTable, counter::ts_ns) == Numbers{10500, 10500, 10500, 20000, 20000});
  CHECK(read->segment.table(counter::kTable).column(counter::value).f64 ==
        std::vector<double>{1800.5, -1, 9007199254740992.0, 7, 1});
  CHECK(read->values(counter::kTable, counter::pid) == Numbers{6, 6, 6, 5, 5});
}

TEST_CASE("a counter's bad value is lost, its good ones are kept") {
  const auto read = read_trace_text(list({
      R"({"ph": "C", "name": "c", "ts": 1, "pid": 5, "args": {"a": "text", "b": 2}})",
      R"({"ph": "C", "name": "c", "ts": 1, "pid": 5, "args": {}})",
      R"({"ph": "C", "name": "c", "ts": 1, "pid": 5})",
      R"({"ph": "C", "name": "c", "ts": 1, "pid": 5, "args": {"a": NaN}})",
  }));
  CHECK(read->texts(counter::kTable, counter::series) == Texts{"b"});
  CHECK(read->lost(Diag::event_bad) == 4);
}

TEST_CASE("tracks have names, labels and the number of their events") {
  const auto read = read_trace_text(list({
      slice("op", 4376751100, 9000000000, "1", "1", kHostOp),
      R"({"ph": "M", "name": "process_labels", "pid": 20, "tid": 0, "args": {"labels": "NPU"}})",
      R"({"ph": "M", "name": "process_sort_index", "pid": 20, "tid": 0, "args": {"sort_index": 13}})",
      named(20, "Ascend Hardware"),
      R"({"ph": "M", "name": "thread_name", "pid": 20, "tid": 2, "args": {"name": "Stream 2"}})",
      slice("k", 20, 2, "1", "1"),
      R"({"ph": "C", "name": "c", "ts": 1, "pid": 20, "args": {"a": 1, "b": 2}})",
      named(4376751100, "Python"),
      named(20, "a second name is not taken"),
  }));
  CHECK(read->losses() == 0);
  CHECK(read->values(track::kTable, track::pid) == Numbers{4376751100, 4376751100, 20, 20});
  CHECK(read->nullable(track::kTable, track::tid) == Numbers{-999, 9000000000, -999, 2});
  CHECK(read->texts(track::kTable, track::process_name) ==
        Texts{"Python", "Python", "Ascend Hardware", "Ascend Hardware"});
  CHECK(read->texts(track::kTable, track::thread_name) == Texts{"-", "-", "-", "Stream 2"});
  CHECK(read->texts(track::kTable, track::labels) == Texts{"-", "-", "NPU", "NPU"});
  CHECK(read->values(track::kTable, track::events) == Numbers{1, 1, 2, 1});
}

TEST_CASE("flows join by kind and id, and bind to the innermost slice") {
  const std::string beyond_64_bits = "\"264811999230918655999999\"";
  const auto read = read_trace_text(list({
      named(20, "Ascend Hardware"),
      named(22, "CANN"),
      slice("outer", 7, 1, "100", "50", kHostOp),
      slice("inner", 7, 1, "110", "10", kHostOp),
      slice("frame", 7, 1, "90", "100", R"(, "cat": "python_function")"),
      slice("Node@launch", 22, 1, "200", "10"),
      slice("kernel", 20, 2, "300", "10"),
      slice("kernel", 20, 2, "310", "10"),
      flow_end("s", "async_npu", "1787762318066163835", 7, 1, "115"),
      flow_end("f", "async_npu", "\"1787762318066163835\"", 20, 2, "310"),
      flow_end("f", "HostToDevice", beyond_64_bits, 20, 2, "300"),
      flow_end("s", "HostToDevice", beyond_64_bits, 22, 1, "204"),
      flow_end("s", "HostToDevice", "\"264811999230918655999998\"", 22, 1, "204"),  // no end
      flow_end("f", "fwdbwd", "3", 7, 1, "110"),                                    // no start
      flow_end("s", "fwdbwd", "4", 7, 1, "125"),
      flow_end("f", "fwdbwd", "4", 7, 1, "95"),
      flow_end("s", "fwdbwd", "5", 7, 1, "85"),  // before every slice
      flow_end("f", "fwdbwd", "5", 7, 1, "110"),
  }));
  CHECK(read->texts(flow::kTable, flow::kind) == Texts{"async_npu", "HostToDevice", "fwdbwd"});
  CHECK(read->texts(flow::kTable, flow::src_table) == Texts{"host_op", "runtime_api", "host_op"});
  CHECK(read->values(flow::kTable, flow::src_id) == Numbers{1, 0, 0});
  CHECK(read->texts(flow::kTable, flow::dst_table) == Texts{"device_task", "device_task", "python_call"});
  CHECK(read->values(flow::kTable, flow::dst_id) == Numbers{1, 0, 0});
  CHECK(read->lost(Diag::event_unpaired) == 2);
  CHECK(read->lost(Diag::event_flow_unbound) == 1);
}

TEST_CASE("a flow id that comes again joins the last start before it; several ends join one start") {
  const auto read = read_trace_text(list({
      slice("a", 7, 1, "10", "5", kHostOp),
      slice("b", 7, 1, "20", "5", kHostOp),
      slice("x", 7, 2, "12", "1", kHostOp),
      slice("y", 7, 2, "22", "1", kHostOp),
      slice("z", 7, 2, "23", "1", kHostOp),
      flow_end("s", "k", "1", 7, 1, "10"),
      flow_end("s", "k", "1", 7, 1, "20"),
      flow_end("f", "k", "1", 7, 2, "12"),
      flow_end("f", "k", "1", 7, 2, "22"),
      flow_end("f", "k", "1", 7, 2, "23"),
  }));
  CHECK(read->losses() == 0);
  CHECK(read->values(flow::kTable, flow::src_id) == Numbers{0, 2, 2});
  CHECK(read->values(flow::kTable, flow::dst_id) == Numbers{1, 3, 4});
}

TEST_CASE("times relative to an origin are moved, wherever the origin stands") {
  const std::string events = list({slice("op", 7, 1, "1.5", "1", kHostOp),
                                   R"({"ph": "C", "name": "c", "ts": 2.25, "pid": 5, "args": {"a": 1}})",
                                   slice("ProfilerStep#3", 7, 1, "1.0", "5", kHostOp)});
  for (const std::string& text :
       {"{\"baseTimeNanoseconds\": 1700000000000000123, \"traceEvents\": " + events + "}",
        "{\"traceEvents\": " + events + ", \"traceName\": \"x\", \"baseTimeNanoseconds\": 1700000000000000123}"}) {
    const auto read = read_trace_text(text);
    CHECK(read->losses() == 0);
    CHECK(read->values(host_op::kTable, host_op::start_ns) == Numbers{1700000000000001123, 1700000000000001623});
    CHECK(read->nullable(host_op::kTable, host_op::step) == Numbers{3, 3});
    CHECK(read->values(counter::kTable, counter::ts_ns) == Numbers{1700000000000002373});
    CHECK(read->values(step_range::kTable, step_range::start_ns) == Numbers{1700000000000001123});
  }
  const auto odd = read_trace_text("{\"baseTimeNanoseconds\": \"soon\", \"traceEvents\": " + events + "}");
  CHECK(odd->lost(Diag::json_shape) == 1);
  CHECK(odd->values(host_op::kTable, host_op::start_ns) == Numbers{1000, 1500});
}

TEST_CASE("what no table has is counted, with what it was") {
  const auto read = read_trace_text(list({
      R"({"ph": "i", "name": "instant", "ts": 1, "pid": 1, "tid": 1})",
      R"({"ph": "B", "name": "begin", "ts": 1, "pid": 1, "tid": 1})",
      R"({"ph": "B", "name": "begin", "ts": 2, "pid": 1, "tid": 1})",
      slice("k", 1, 1, "1", "1", R"(, "cat": "kernel")"),
      named(9, "Python GC"),
      slice("gc", 9, 1, "1", "1"),
      R"({"ph": "M", "name": "trace_config", "pid": 1, "args": {"name": "x"}})",
  }));
  CHECK(read->lost(Diag::event_other_phase) == 6);
  CHECK(read->lost(Diag::event_begin_end) == 2);
  CHECK(read->losses() == 8);
  CHECK(read->place(Diag::event_other_phase) == 1);
  CHECK(read->text(Diag::event_other_phase)
            .find("2 of phase B, 1 of category kernel, 1 of phase M, 1 of phase i, "
                  "1 of process Python GC.") != std::string::npos);
  CHECK(read->rows(host_op::kTable) == 0);
}

TEST_CASE("the source file and the order of tables are told") {
  const auto read = read_trace_text(list({slice("op", 1, 1, "1", "1", kHostOp)}));
  CHECK(read->segment.has(host_op::kTable));
  CHECK(read->segment.has(track::kTable));
  CHECK_FALSE(read->segment.has(device_task::kTable));
}

TEST_CASE("reading stops when it is cancelled") {
  const TemporaryFolder folder;
  CancelFlag cancel;
  cancel.set();
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{cancel, progress, diagnostics, {}};
  store::SegmentBuilder out;
  const auto result =
      read_trace_view(folder.write("t.json", list({slice("op", 1, 1, "1", "1", kHostOp)})), "t.json", context, out);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::cancelled);
}

TEST_CASE("progress ends at the file's bytes") {
  const TemporaryFolder folder;
  const CancelFlag cancel;
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{cancel, progress, diagnostics, {}};
  store::SegmentBuilder out;
  const std::string text = gzip(list({slice("op", 1, 1, "1", "1", kHostOp)}));
  REQUIRE(read_trace_view(folder.write("t.json.gz", text), "t.json.gz", context, out).ok());
  CHECK(progress.get().done == text.size());
}

}  // namespace
}  // namespace stepwise::ingest
