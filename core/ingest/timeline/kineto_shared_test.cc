// Real GPU traces of 2021 to 2026, against kineto_shared_expected.h. Without them the test is reported as skipped.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/ingest.h"
#include "core/ingest/timeline/kineto_expected_test.h"
#include "core/ingest/timeline/kineto_trace.h"
#include "core/ingest/timeline/trace_test_read.h"
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

std::unique_ptr<TraceRead> read_kineto(const std::string& file) {
  return read_trace_file(shared_data() / file, {.threads = 2}, read_kineto_trace);
}

int64_t sum(const std::vector<int64_t>& values) {
  int64_t total = 0;
  for (const int64_t value : values) total += value;
  return total;
}

template <class Col>
RowsAndTime rows_and_time(TraceRead& read, const table::TableDecl& decl, Col dur) {
  return {static_cast<int64_t>(read.rows(decl)), sum(read.values(decl, dur))};
}

RowsAndTime of_class(TraceRead& read, const std::string& name) {
  const auto classes = read.texts(kernel::kTable, kernel::class_);
  const auto durations = read.values(kernel::kTable, kernel::dur_ns);
  RowsAndTime found;
  for (size_t row = 0; row < classes.size(); ++row) {
    if (classes[row] != name) continue;
    ++found.rows;
    found.dur_ns += durations[row];
  }
  return found;
}

int64_t sum_below_second(const std::vector<int64_t>& starts) {
  constexpr int64_t kSecond = 1'000'000'000;
  int64_t total = 0;
  for (const int64_t start : starts) total = (total + start % kSecond) % kSecond;
  return total;
}

std::vector<StepTime> steps_of(TraceRead& read) {
  const auto numbers = read.values(step::kTable, step::step), starts = read.values(step::kTable, step::start_ns),
             ends = read.values(step::kTable, step::end_ns);
  std::vector<StepTime> steps;
  for (size_t row = 0; row < numbers.size(); ++row) steps.push_back({numbers[row], starts[row], ends[row]});
  return steps;
}

std::map<int64_t, int64_t> histogram(const std::vector<int64_t>& values) {
  std::map<int64_t, int64_t> counts;
  for (const int64_t value : values) ++counts[value];
  return counts;
}

std::map<std::string, int64_t> flow_kinds(TraceRead& read) {
  std::map<std::string, int64_t> counts;
  const auto kinds = read.texts(flow::kTable, flow::kind), from = read.texts(flow::kTable, flow::src_table),
             to = read.texts(flow::kTable, flow::dst_table);
  for (size_t row = 0; row < kinds.size(); ++row) ++counts[kinds[row] + " " + from[row] + " " + to[row]];
  return counts;
}

TEST_CASE("every GPU trace: rows, times, steps, launches and arrows") {
  for (const ExpectedTrace& expected : kExpectedTraces) {
    INFO(expected.file);
    const auto read = read_kineto(expected.file);
    CHECK(rows_and_time(*read, host_op::kTable, host_op::dur_ns) == expected.host_ops);
    CHECK(rows_and_time(*read, runtime_api::kTable, runtime_api::dur_ns) == expected.calls);
    CHECK(rows_and_time(*read, python_call::kTable, python_call::dur_ns) == expected.python);
    CHECK(rows_and_time(*read, device_task::kTable, device_task::dur_ns) == expected.device);

    CHECK(of_class(*read, "compute") == expected.compute);
    CHECK(of_class(*read, "communication") == expected.communication);
    CHECK(of_class(*read, "copy") == expected.copy);
    CHECK(of_class(*read, "memset") == expected.memset);
    const auto starts = read->values(kernel::kTable, kernel::start_ns);
    CHECK((starts.empty() ? 0 : starts.front()) == expected.first_kernel_ns);
    CHECK(sum_below_second(starts) == expected.kernel_starts);
    CHECK(sum(read->values(kernel::kTable, kernel::bytes)) == expected.bytes);
    CHECK(sum(read->values(kernel::kTable, kernel::correlation_id)) == expected.correlations);

    CHECK(steps_of(*read) == expected.steps);
    CHECK(histogram(read->nullable(kernel::kTable, kernel::step)) == expected.kernels_of_step);

    CHECK(static_cast<int64_t>(read->rows(kernel_link::kTable)) == expected.links);
    CHECK(sum(read->values(kernel_link::kTable, kernel_link::host_op_id)) == expected.link_host_ops);
    const auto host_ops = histogram(read->nullable(kernel_link::kTable, kernel_link::host_op_id));
    CHECK((host_ops.count(-999) != 0 ? host_ops.at(-999) : 0) == expected.links_without_op);
    CHECK(sum(read->values(kernel_link::kTable, kernel_link::runtime_api_id)) == expected.link_calls);

    CHECK(flow_kinds(*read) == expected.flows);
    CHECK(sum(read->values(flow::kTable, flow::src_id)) == expected.flow_starts);
    CHECK(sum(read->values(flow::kTable, flow::dst_id)) == expected.flow_ends);

    CHECK(read->lost(Diag::event_bad) == 0);
    CHECK(read->lost(Diag::json_shape) == 0);
    CHECK(read->lost(Diag::event_overlapping) == 0);
    CHECK(read->lost(Diag::event_flow_unbound) == 0);
  }
}

TEST_CASE("every GPU trace: threads and windows do not show in the segment") {
  for (const ExpectedTrace& expected : kExpectedTraces) {
    INFO(expected.file);
    const auto bytes_of = [&expected](unsigned threads, size_t window_bytes) {
      return segment_bytes(*read_trace_file(shared_data() / expected.file,
                                            {.threads = threads, .window_bytes = window_bytes}, read_kineto_trace));
    };
    const std::string bytes = bytes_of(1, 1 << 20);
    CHECK(bytes_of(4, 1 << 20) == bytes);
    CHECK(bytes_of(3, 50'000) == bytes);
  }
}

TEST_CASE("every GPU trace: calls lie within their outer ones, and every read of a scalar in its item") {
  int64_t reads = 0;
  for (const ExpectedTrace& expected : kExpectedTraces) {
    INFO(expected.file);
    const auto read = read_kineto(expected.file);
    const auto start = read->values(host_op::kTable, host_op::start_ns);
    const auto dur = read->values(host_op::kTable, host_op::dur_ns);
    const auto parent = read->nullable(host_op::kTable, host_op::parent_id);
    const auto depth = read->values(host_op::kTable, host_op::depth);
    const auto name = read->texts(host_op::kTable, host_op::name);
    int64_t outside = 0;
    for (size_t row = 0; row < parent.size(); ++row) {
      const auto outer = static_cast<size_t>(parent[row]);
      if (name[row] == "aten::_local_scalar_dense") {
        outside += parent[row] < 0 || name[outer] != "aten::item" ? 1 : 0;
        ++reads;
      }
      if (parent[row] < 0) continue;
      REQUIRE(outer < row);
      CHECK((start[outer] <= start[row] && start[row] + dur[row] <= start[outer] + dur[outer]));
      CHECK(depth[row] == depth[outer] + 1);
    }
    CHECK(outside == 0);
  }
  CHECK(reads > 1'000);
}

TEST_CASE("what allocators gave and took back") {
  const struct {
    const char* file;
    uint64_t samples;
    double sum;
  } expected[] = {
      {"gpu-resnet50-tbplugin-2021/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz", 12838, 19267840},
      {"gpu-resnet50-tbplugin-2021/resnet50_num_workers_4/worker0.1623212756351.pt.trace.json.gz", 10980, 0},
      {"gpu-tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 7350, 9369055297184},
  };
  for (const auto& trace : expected) {
    INFO(trace.file);
    const auto read = read_kineto(trace.file);
    CHECK(read->rows(counter::kTable) == trace.samples);
    double sum = 0;
    for (const double value : read->segment.table(counter::kTable).column(counter::value).f64) sum += value;
    CHECK(sum == trace.sum);
  }
}

}  // namespace

// The numbers were found by a script (Python's json): of each thread of the execution trace the one thread of the
// timeline that holds all its names in a row.
TEST_CASE("a real job's execution traces: their calls in the timelines of the same ranks") {
  const auto layout = discover(shared_data() / "gpu-dlrm-8rank-v100");
  REQUIRE(layout.ok());
  REQUIRE(layout.value().ranks.size() == 8);
  const struct {
    uint64_t linked;
    int64_t starts, durations;  // us, of each call times its number; starts within their second
  } expected[8] = {{1672, 610'896'876'630, 39'651'639}, {1672, 609'869'732'413, 57'696'462}};
  for (const RankLayout& rank : layout.value().ranks) {
    INFO(rank.rank);
    TraceRead read;
    const CancelFlag cancel;
    ProgressGauge progress;
    REQUIRE(ingest_group(layout.value(), rank, table::Group::trace, cancel, progress, {}, read.segment).ok());
    const auto numbers = read.nullable(host_op::kTable, host_op::external_id);
    const auto starts = read.values(host_op::kTable, host_op::start_ns),
               durations = read.values(host_op::kTable, host_op::dur_ns);
    uint64_t linked = 0;
    int64_t sum_of_starts = 0, sum_of_durations = 0;
    for (size_t row = 0; row < numbers.size(); ++row) {
      if (numbers[row] == -999) continue;
      ++linked;
      sum_of_starts += numbers[row] * (starts[row] / 1000 % 1'000'000);
      sum_of_durations += numbers[row] * (durations[row] / 1000);
    }
    CHECK(linked == expected[rank.rank].linked);  // the others have no execution trace
    CHECK(sum_of_starts == expected[rank.rank].starts);
    CHECK(sum_of_durations == expected[rank.rank].durations);
  }
}

TEST_CASE("real GPU traces: what the allocator held, against sums by Python's json module") {
  namespace memory = table::memory;
  const auto read = read_kineto("gpu-tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz");
  REQUIRE(read->rows(memory::kTable) == 2450);
  CHECK(sum(read->values(memory::kTable, memory::allocated_bytes)) == 3'451'940'929'184);
  const auto& reserved = read->values(memory::kTable, memory::reserved_bytes);
  CHECK(*std::max_element(reserved.begin(), reserved.end()) == 2'629'828'608);
  // Of 2021: no totals.
  CHECK(read_kineto("gpu-resnet50-tbplugin-2021/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz")
            ->rows(memory::kTable) == 0);
}

}  // namespace stepwise::ingest
