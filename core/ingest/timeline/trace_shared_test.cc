// Real profiles: what is read of them equals what Python's json and decimal modules say (sums, nesting and arrows were
// computed by a separate script that shares no code). Without the profiles the test is reported as skipped.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "core/ingest/base/shared_data_test.h"
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

std::unique_ptr<TraceRead> read_alexnet(const std::string& level, int rank) {
  const auto path = shared_data() / "npu-pt-alexnet-ddp-text" / level / ("rank" + std::to_string(rank) + "_ascend_pt") /
                    "ASCEND_PROFILER_OUTPUT" / "trace_view.json.gz";
  return read_trace_file(path, {.threads = 2});
}

int64_t sum(const std::vector<int64_t>& values) {
  int64_t total = 0;
  for (const int64_t value : values) total += value;
  return total;
}

/// start_ns would overflow when summed: the digits below a second are enough to tell.
int64_t sum_below_second(const std::vector<int64_t>& starts) {
  constexpr int64_t kSecond = 1'000'000'000;
  int64_t total = 0;
  for (const int64_t start : starts) total = (total + start % kSecond) % kSecond;
  return total;
}

std::map<int64_t, int> histogram(const std::vector<int64_t>& values) {
  std::map<int64_t, int> counts;
  for (const int64_t value : values) ++counts[value];
  return counts;
}

std::map<std::string, int> flow_kinds(TraceRead& read) {
  std::map<std::string, int> counts;
  const auto kinds = read.texts(flow::kTable, flow::kind), from = read.texts(flow::kTable, flow::src_table),
             to = read.texts(flow::kTable, flow::dst_table);
  for (size_t row = 0; row < kinds.size(); ++row) ++counts[kinds[row] + " " + from[row] + " " + to[row]];
  return counts;
}

double sum_of_samples(TraceRead& read) {
  double total = 0;
  for (const double value : read.segment.table(counter::kTable).column(counter::value).f64) total += value;
  return total;
}

TEST_CASE("alexnet, level 1, rank 0: every table") {
  const auto read = read_alexnet("level1", 0);
  CHECK(read->rows(host_op::kTable) == 860);
  CHECK(sum(read->values(host_op::kTable, host_op::dur_ns)) == 496565240);
  CHECK(sum_below_second(read->values(host_op::kTable, host_op::start_ns)) == 2182080);
  CHECK(read->values(host_op::kTable, host_op::start_ns).front() == 1736408883686740710);
  CHECK(read->texts(host_op::kTable, host_op::name).front() == "ProfilerStep#50");
  CHECK(read->values(host_op::kTable, host_op::start_ns).back() == 1736408883842438820);
  CHECK(histogram(read->values(host_op::kTable, host_op::depth)) ==
        std::map<int64_t, int>{{0, 80}, {1, 127}, {2, 197}, {3, 304}, {4, 100}, {5, 45}, {6, 7}});
  CHECK(sum(read->values(host_op::kTable, host_op::parent_id)) == 311251);
  CHECK(histogram(read->nullable(host_op::kTable, host_op::step)) == std::map<int64_t, int>{{50, 860}});
  CHECK(read->segment.table(host_op::kTable).column(host_op::link_id).null_count == 860 - 94);
  CHECK(read->segment.table(host_op::kTable).column(host_op::stack).null_count == 860 - 316);
  CHECK(read->segment.table(host_op::kTable).column(host_op::shapes).null_count == 860 - 551);

  CHECK(read->rows(python_call::kTable) == 1282);
  CHECK(sum(read->values(python_call::kTable, python_call::dur_ns)) == 2251695480);
  CHECK(sum(read->values(python_call::kTable, python_call::parent_id)) == 775904);
  CHECK(histogram(read->values(python_call::kTable, python_call::depth)).at(20) == 121);
  CHECK(histogram(read->nullable(python_call::kTable, python_call::step)) ==
        std::map<int64_t, int>{{-999, 1282 - 1251}, {50, 1251}});

  CHECK(read->rows(queue::kTable) == 2 * 159);
  CHECK(sum(read->values(queue::kTable, queue::dur_ns)) == 20965320);
  CHECK(read->texts(queue::kTable, queue::name).front() == "Enqueue");

  CHECK(read->rows(runtime_api::kTable) == 707);
  CHECK(sum(read->values(runtime_api::kTable, runtime_api::dur_ns)) == 123965130);
  CHECK(sum(read->values(runtime_api::kTable, runtime_api::parent_id)) == 82675);
  CHECK(read->texts(runtime_api::kTable, runtime_api::category).front() == "AscendCL");
  CHECK(histogram(read->nullable(runtime_api::kTable, runtime_api::step)).at(50) == 706);

  CHECK(read->rows(device_task::kTable) == 535 + 300);
  CHECK(sum(read->values(device_task::kTable, device_task::dur_ns)) == 487867026);
  CHECK(sum_below_second(read->values(device_task::kTable, device_task::start_ns)) == 663779637);
  CHECK(histogram(read->values(device_task::kTable, device_task::depth)) ==
        std::map<int64_t, int>{{0, 699}, {1, 114}, {2, 18}, {3, 4}});
  CHECK(read->rows(overlap_span::kTable) == 382);
  CHECK(sum(read->values(overlap_span::kTable, overlap_span::dur_ns)) == 242572887);

  CHECK(read->rows(counter::kTable) == 7183);
  CHECK(sum_of_samples(*read) == Approx(134554112.4313479).epsilon(1e-12));
  CHECK(read->values(step_range::kTable, step_range::start_ns) == std::vector<int64_t>{1736408883686740710});
  CHECK(read->values(step_range::kTable, step_range::dur_ns) == std::vector<int64_t>{155985800});

  CHECK(flow_kinds(*read) == std::map<std::string, int>{{"HostToDevice runtime_api device_task", 215},
                                                        {"async_npu host_op device_task", 210},
                                                        {"async_task_queue queue queue", 159},
                                                        {"fwdbwd host_op host_op", 27}});
  CHECK(sum(read->values(flow::kTable, flow::src_id)) == 184104);
  CHECK(sum(read->values(flow::kTable, flow::dst_id)) == 116545);
  // Tasks of one device stream overlap; nothing else is odd.
  CHECK(read->lost(Diag::event_overlapping) == 128);
  const std::vector<uint8_t>& overflow = read->segment.table(device_task::kTable).column(device_task::overflow).u8;
  CHECK(std::count(overflow.begin(), overflow.end(), uint8_t{1}) == 128);
  CHECK(read->losses() == 128);
}

TEST_CASE("alexnet, level 1, rank 1: rows and sums") {
  const auto read = read_alexnet("level1", 1);
  CHECK(sum(read->values(host_op::kTable, host_op::dur_ns)) == 490440500);
  CHECK(sum(read->values(python_call::kTable, python_call::dur_ns)) == 2218843860);
  CHECK(sum(read->values(runtime_api::kTable, runtime_api::dur_ns)) == 120842880);
  CHECK(sum(read->values(device_task::kTable, device_task::dur_ns)) == 445058002);
  CHECK(sum(read->values(overlap_span::kTable, overlap_span::dur_ns)) == 232287902);
  CHECK(read->rows(counter::kTable) == 6867);
  CHECK(sum(read->values(flow::kTable, flow::src_id)) == 184286);
  CHECK(sum(read->values(flow::kTable, flow::dst_id)) == 116723);
}

TEST_CASE("alexnet, level 0: the driver stack was pruned, so its arrows bind to nothing") {
  const auto read = read_alexnet("level0", 0);
  CHECK(read->rows(host_op::kTable) == 860);
  CHECK(read->rows(python_call::kTable) == 1282);
  CHECK(read->rows(device_task::kTable) == 537);
  CHECK_FALSE(read->segment.has(runtime_api::kTable));
  CHECK(sum(read->values(device_task::kTable, device_task::dur_ns)) == 300031950);
  CHECK(read->rows(counter::kTable) == 5952);
  CHECK(flow_kinds(*read) == std::map<std::string, int>{{"async_npu host_op device_task", 210},
                                                        {"async_task_queue queue queue", 159},
                                                        {"fwdbwd host_op host_op", 27}});
  CHECK(sum(read->values(flow::kTable, flow::src_id)) == 105186);
  CHECK(sum(read->values(flow::kTable, flow::dst_id)) == 68827);
  CHECK(read->lost(Diag::event_flow_unbound) == 210);
}

TEST_CASE("a hand-made trace: an event's own category goes before its process") {
  const auto read = read_trace_file(shared_data() / "npu-insight-fixtures" / "heatMap" / "trace_view.json");
  CHECK(read->rows(host_op::kTable) == 4);
  CHECK(read->losses() == 0);
}

}  // namespace
}  // namespace stepwise::ingest
