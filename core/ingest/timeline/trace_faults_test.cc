// What collectors get wrong: it is told, and nothing is left out for it.
#include <string>
#include <vector>

#include "core/ingest/timeline/kineto_test_events.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace device_task = table::device_task;
namespace host_op = table::host_op;
namespace python_call = table::python_call;
namespace runtime_api = table::runtime_api;
namespace kernel = table::kernel;

using Bytes = std::vector<uint8_t>;

std::string op(const std::string& name, const std::string& tid, const std::string& ts, const std::string& dur,
               const std::string& args = "") {
  return slice("cpu_op", name, "70", tid, ts, dur, args);
}

TEST_CASE(
    "a slice that reaches beyond one that it starts in says so, in each "
    "table") {
  const std::string hardware = R"({"ph": "M", "name": "process_name", "pid": 20, "args": {"name": "Ascend Hardware"}})",
                    driver = R"({"ph": "M", "name": "process_name", "pid": 22, "args": {"name": "CANN"}})";
  const auto bare = [](const std::string& name, const std::string& pid, const std::string& ts, const std::string& dur) {
    return R"({"ph": "X", "name": ")" + name + R"(", "pid": )" + pid + R"(, "tid": 1, "ts": )" + ts + R"(, "dur": )" +
           dur + "}";
  };
  std::vector<std::string> events{hardware, driver};
  for (const std::string pid : {"20", "22"}) {
    events.push_back(bare("a", pid, "10", "10"));
    events.push_back(bare("b", pid, "15", "10"));
    events.push_back(bare("c", pid, "25", "5"));  // touching is not reaching beyond
  }
  for (const std::string category : {"cpu_op", "python_function"}) {
    const std::string tid = category == "cpu_op" ? "3" : "4";
    events.push_back(slice(category, "a", "7", tid, "10", "10"));
    events.push_back(slice(category, "b", "7", tid, "15", "10"));
    events.push_back(slice(category, "c", "7", tid, "16", "2"));
  }
  const auto read = read_trace_text(list_of(events));
  const auto overflow = [&](const table::TableDecl& decl, auto col) {
    return read->segment.table(decl).column(col).u8;
  };
  CHECK(overflow(device_task::kTable, device_task::overflow) == Bytes{0, 1, 0});
  CHECK(overflow(runtime_api::kTable, runtime_api::overflow) == Bytes{0, 1, 0});
  CHECK(overflow(host_op::kTable, host_op::overflow) == Bytes{0, 1, 0});
  CHECK(overflow(python_call::kTable, python_call::overflow) == Bytes{0, 1, 0});
  // c lies in b, and b in nothing.
  CHECK(read->values(host_op::kTable, host_op::depth) == std::vector<int64_t>{0, 0, 1});
  CHECK(read->nullable(host_op::kTable, host_op::parent_id) == std::vector<int64_t>{-999, -999, 1});
  CHECK(read->lost(Diag::event_overlapping) == 4);
  CHECK(read->losses() == 4);
}

TEST_CASE("slices that stand twice are kept and told") {
  const std::string twice = op("aten::mm", "71", "10", "5", R"("External id": 3)");
  const std::string call =
      slice("cuda_runtime", "cudaMalloc", "70", "72", "10", "5", R"("External id": 3, "correlation": 8)");
  const std::string launched =
      slice("kernel", "k", "0", "7", "30", "5", R"("stream": 7, "correlation": 8, "External id": 3)");
  const std::vector<std::string> events{
      twice,
      op("aten::add", "71", "10", "5", R"("External id": 4)"),
      twice,
      op("aten::mm", "71", "10", "5", R"("External id": 5)"),  // its own id
      op("aten::mm", "70", "10", "5", R"("External id": 3)"),  // another thread
      op("aten::mm", "71", "10", "4", R"("External id": 3)"),  // shorter
      op("aten::mm", "71", "11", "5", R"("External id": 3)"),  // later
      call,
      call,
      call,
      launched,
      launched,
  };
  const auto read = read_kineto_text(trace_of(events));
  CHECK(read->lost(Diag::event_duplicate) == 1 + 2 + 1);
  CHECK(read->place(Diag::event_duplicate) == static_cast<int64_t>(trace_of(events).rfind(twice)));
  CHECK(read->rows(host_op::kTable) == 7);
  CHECK(read->rows(kernel::kTable) == 2);
}

TEST_CASE("steps with one number, or out of turn, are told") {
  const auto step = [](const std::string& number, const std::string& pid, const std::string& ts) {
    return slice("user_annotation", "ProfilerStep#" + number, pid, "70", ts, "10", "");
  };
  const auto good = read_kineto_text(
      trace_of({step("9", "70", "100"), step("10", "70", "110"), step("9", "71", "100")}));  // another process's
  CHECK(good->losses() == 0);
  const auto odd = read_kineto_text(trace_of({step("9", "70", "100"), step("10", "70", "110"), step("10", "70", "500"),
                                              step("11", "70", "50"), step("12", "70", "600")}));
  CHECK(odd->lost(Diag::step_duplicate) == 1);
  CHECK(odd->text(Diag::step_duplicate).ends_with("First: step 10."));
  CHECK(odd->lost(Diag::step_backwards) == 1);
  CHECK(odd->text(Diag::step_backwards).ends_with("First: step 11."));
  CHECK(odd->losses() == 2);
}

TEST_CASE("a clock that jumps ahead and back is told, a pause is not") {
  // 40 operators, 100 us apart: 3900 us from the first to the last, so ten minutes are what counts.
  const auto trace_with = [](const std::vector<std::string>& strays) {
    std::vector<std::string> events;
    for (int i = 0; i < 40; ++i) events.push_back(op("aten::mm", "71", std::to_string(1000 + 100 * i), "5", ""));
    for (const std::string& ts : strays) {
      events.insert(events.begin() + 20, op("aten::add", "71", ts, "5", ""));
    }
    return trace_of(events);
  };
  const std::string hours_ahead = "7200000000", minutes_ahead = "599000000", long_before = "-7200000000";
  CHECK(read_kineto_text(trace_with({}))->losses() == 0);
  CHECK(read_kineto_text(trace_with({minutes_ahead}))->losses() == 0);
  for (const std::string& stray : {hours_ahead, long_before}) {
    const std::string text = trace_with({stray});
    const auto read = read_kineto_text(text);
    CHECK(read->rows(host_op::kTable) == 41);
    CHECK(read->lost(Diag::time_clock_jump) == 1);
    CHECK(read->place(Diag::time_clock_jump) == static_cast<int64_t>(text.find(op("aten::add", "71", stray, "5", ""))));
    CHECK(read->losses() == 1);
  }
  CHECK(read_kineto_text(trace_with({hours_ahead}))
            ->text(Diag::time_clock_jump)
            .ends_with("First: at 7200000000000 ns, 7199 s after nearly all others."));
  // Half of the slices elsewhere are a second recording, or a pause.
  CHECK(read_kineto_text(trace_with(std::vector<std::string>(40, hours_ahead)))->lost(Diag::time_clock_jump) == 0);
  // Other tables' slices are held against the largest one's.
  std::vector<std::string> events;
  for (int i = 0; i < 40; ++i) events.push_back(op("aten::mm", "71", std::to_string(1000 + 100 * i), "5", ""));
  events.push_back(slice("kernel", "k", "0", "7", hours_ahead, "1", R"("stream": 7)"));
  CHECK(read_kineto_text(trace_of(events))->lost(Diag::time_clock_jump) == 1);
}

std::string launch(int correlation, int ts, const std::string& name = "cudaLaunchKernel") {
  return slice("cuda_runtime", name, "70", "70", std::to_string(ts), "1",
               R"("correlation": )" + std::to_string(correlation));
}
std::string launched(int correlation, int ts) {
  return slice("kernel", "k" + std::to_string(correlation), "0", "7", std::to_string(ts), "1",
               R"("stream": 7, "correlation": )" + std::to_string(correlation));
}

TEST_CASE(
    "launches without a kernel are told if they are more than one in a "
    "hundred") {
  for (const int lost : {1, 2}) {
    std::vector<std::string> events{launch(900, 5, "cudaMemcpyAsync"), launch(0, 6)};  // no kernels to be lost
    for (int i = 1; i <= 100; ++i) {
      events.push_back(launch(i, i * 10, i % 2 == 0 ? "cudaLaunchKernel" : "hipExtModuleLaunchKernel"));
      if (i > lost) events.push_back(launched(i, i * 10 + 5));
    }
    const auto read = read_kineto_text(trace_of(events));
    CHECK(read->lost(Diag::launch_without_kernel) == (lost == 1 ? 0u : 2u));
    CHECK(read->losses() == (lost == 1 ? 0u : 2u));
    if (lost == 1) continue;
    const size_t first = trace_of(events).find(launch(1, 10, "hipExtModuleLaunchKernel"));
    CHECK(read->place(Diag::launch_without_kernel) == static_cast<int64_t>(first));
  }
  // A device that recorded nothing at all.
  CHECK(read_kineto_text(trace_of({launch(1, 10), launch(2, 20)}))->lost(Diag::launch_without_kernel) == 2);
}

TEST_CASE("kernels before their launch: some of them, or most of them") {
  const auto some = read_kineto_text(trace_of({launch(1, 10), launched(1, 10), launch(2, 20), launched(2, 17),
                                               launch(3, 30), launched(3, 31), launch(4, 40), launched(4, 35)}));
  CHECK(some->lost(Diag::launch_after_kernel) == 2);
  CHECK(some->text(Diag::launch_after_kernel).ends_with("They are 2 of 4, by up to 5000 ns."));
  CHECK(some->losses() == 2);
  const auto most = read_kineto_text(
      trace_of({launch(1, 10), launched(1, 11), launch(2, 20), launched(2, 17), launch(3, 30), launched(3, 12)}));
  CHECK(most->lost(Diag::launch_clocks_differ) == 2);
  CHECK(most->text(Diag::launch_clocks_differ).ends_with("They are 2 of 3, by up to 18000 ns."));
  CHECK(most->losses() == 2);
}

TEST_CASE("an operator is called by the innermost Python function that was running") {
  const auto python = [](const std::string& name, const std::string& ts, const std::string& dur) {
    return slice("python_function", name, "70", "70", ts, dur, R"("Python id": 1)");
  };
  const auto read = read_kineto_text(trace_of({
      python("outer", "10", "90"),
      python("inner", "20", "30"),
      op("aten::mm", "70", "25", "5"),
      op("aten::add", "70", "60", "20"),
      python("callback", "60", "10"),  // begins with aten::add, which holds it
      op("aten::late", "70", "100", "5"),
      op("aten::elsewhere", "71", "25", "5"),
      slice("cuda_runtime", "cudaLaunchKernel", "70", "70", "26", "1", R"("correlation": 8)"),
      slice("cuda_runtime", "cudaLaunchKernel", "70", "70", "55", "1", R"("correlation": 9)"),
      slice("cuda_runtime", "cudaLaunchKernel", "70", "70", "101", "1", R"("correlation": 10)"),
      launched(8, 200),
      launched(9, 210),
      launched(10, 220),
  }));
  namespace python_link = table::python_link;
  namespace kernel_link = table::kernel_link;
  using Numbers = std::vector<int64_t>;
  CHECK(read->texts(host_op::kTable, host_op::name) ==
        std::vector<std::string>{"aten::mm", "aten::elsewhere", "aten::add", "aten::late"});
  CHECK(read->values(python_link::kTable, python_link::host_op_id) == Numbers{0, 2});
  CHECK(read->values(python_link::kTable, python_link::python_call_id) == Numbers{1, 0});
  // By its operator; by its call, since no operator ran; none.
  CHECK(read->nullable(kernel_link::kTable, kernel_link::host_op_id) == Numbers{0, -999, 3});
  CHECK(read->nullable(kernel_link::kTable, kernel_link::python_call_id) == Numbers{1, 0, -999});
  CHECK(read->losses() == 0);
}

}  // namespace
}  // namespace stepwise::ingest
