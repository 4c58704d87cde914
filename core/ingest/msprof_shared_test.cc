// Real profiles: msprof's tables and communication_matrix.json against sums that a separate script made with Python's
// csv, json and decimal modules. Without the profiles the test is reported as skipped.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "core/ingest/base/shared_data_test.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/timeline/trace_view.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;
namespace kernel = table::kernel;
namespace matrix = table::comm_matrix;

Tables read_real(Reader* reader, const std::string& path) {
  Tables tables;
  read_into(tables, reader, shared_data() / path, limits::kCsvChunkBytes);
  return tables;
}

template <size_t I>
int64_t sum(Tables& tables, const table::TableDecl& decl, table::Col<table::Type::i64, I> column) {
  const std::vector<int64_t>& values = tables.builder().table(decl).values(column);
  return std::accumulate(values.begin(), values.end(), int64_t{0});
}

const std::string kVllm = "msprof-vllm-ascend-moe-lora-metrics/PROF_GROUP_20260823_165254/";

TEST_CASE("real: op_summary of six groups of counters") {
  struct Expected {
    const char* path;
    int64_t dur_ns, first_ns, wait_ns, aic_ns, aiv_ns;
  };
  for (const Expected& one : {
           Expected{"PROF_ArithmeticUtilization/PROF_000001_20260823165350017_00625898KGAPBKDQ/"
                    "mindstudio_profiler_output/op_summary_20260823165358.csv",
                    38601, 1787504030959680018, 14002530, 21707, 8551},
           Expected{"PROF_L2Cache/PROF_000001_20260823165523228_00627338KRCOPCPN/mindstudio_profiler_output/"
                    "op_summary_20260823165532.csv",
                    39160, 1787504124159178249, 13823900, 22149, 8426},
           Expected{"PROF_Memory/PROF_000001_20260823165413436_00626258NIRJNPIC/mindstudio_profiler_output/"
                    "op_summary_20260823165421.csv",
                    39521, 1787504054381431513, 14933340, 22048, 8905},
           Expected{"PROF_MemoryL0/PROF_000001_20260823165436070_00626618BPGFDORO/mindstudio_profiler_output/"
                    "op_summary_20260823165444.csv",
                    39281, 1787504077015802083, 14025940, 21830, 8249},
           Expected{"PROF_MemoryUB/PROF_000001_20260823165459085_00626978EGNAOKAL/mindstudio_profiler_output/"
                    "op_summary_20260823165508.csv",
                    38640, 1787504100027457170, 14141920, 20940, 8964},
           Expected{"PROF_ResourceConflictRatio/PROF_000001_20260823165547329_00627699PRQPJOAC/"
                    "mindstudio_profiler_output/op_summary_20260823165556.csv",
                    37241, 1787504148273307948, 14446990, 20678, 7930},
       }) {
    INFO(one.path);
    Tables tables = read_real(read_op_summary, kVllm + one.path);
    REQUIRE(tables.rows(kernel::kTable) == 3);
    CHECK(tables.losses().empty());
    CHECK(tables.row(kernel::kTable, 0, {"start_ns"}) == std::to_string(one.first_ns));
    CHECK(tables.row(kernel::kTable, 2, {"op_type", "core_type", "block_dim", "op_state", "input_shapes", "device"}) ==
          "GroupedMatmul|MIX_AIC|20|dynamic|512,16;8,2048,16;;;;;;8|0");
    CHECK(sum(tables, kernel::kTable, kernel::dur_ns) == one.dur_ns);
    CHECK(sum(tables, kernel::kTable, kernel::wait_ns) == one.wait_ns);
    CHECK(sum(tables, kernel::kTable, kernel::block_dim) == 68);
    CHECK(sum(tables, kernel::kTable, kernel::aic_time_ns) == one.aic_ns);
    CHECK(sum(tables, kernel::kTable, kernel::aiv_time_ns) == one.aiv_ns);
  }
}

TEST_CASE("real: msprof's statistics and what it says about the host") {
  const table::TableDecl &api = table::api_stat::kTable, &op = table::op_stat::kTable;
  const std::string pipe = kVllm + "PROF_PipeUtilization/PROF_000001_20260823165326062_00625538CIGQAHCJ/";
  Tables calls = read_real(read_api_statistic, pipe + "mindstudio_profiler_output/api_statistic_20260823165335.csv");
  CHECK(calls.rows(api) == 24);
  CHECK(sum(calls, api, table::api_stat::total_ns) == 157674870);
  CHECK(sum(calls, api, table::api_stat::count) == 80);
  Tables types = read_real(read_op_statistic, kVllm +
                                                  "PROF_MemoryUB/PROF_000001_20260823165459085_00626978EGNAOKAL/"
                                                  "mindstudio_profiler_output/op_statistic_20260823165508.csv");
  CHECK(types.row(op, 1, {"op_type", "core_type", "count", "total_ns"}) == "OnesLike|AI_VECTOR_CORE|2|13580");
  Tables host = read_real(read_metadata, pipe + "host/info.json");
  std::string said;
  for (uint64_t i = 0; i < host.rows(table::meta::kTable); ++i) {
    const std::string key = host.row(table::meta::kTable, i, {"key"});
    if (key == "cpuNums" || key == "netCard.2.netCardName") said += host.row(table::meta::kTable, i, {"value"}) + " ";
  }
  CHECK(said == "192 enp189s0f0 ");
}

TEST_CASE("real: the scheduler's kernels are those of the operators' file, and cores' figures are there") {
  const std::string output =
      kVllm + "PROF_MemoryUB/PROF_000001_20260823165459085_00626978EGNAOKAL/mindstudio_profiler_output/";
  Tables summary = read_real(read_op_summary, output + "op_summary_20260823165508.csv"),
         tasks = read_real(read_task_time, output + "task_time_20260823165508.csv");
  CHECK(tasks.losses().empty());
  REQUIRE(tasks.rows(kernel::kTable) == summary.rows(kernel::kTable));
  const std::vector<std::string_view> same{"op_type", "core_type", "class",  "stream",
                                           "task_id", "start_ns",  "dur_ns", "device"};
  for (uint64_t i = 0; i < tasks.rows(kernel::kTable); ++i) {
    CHECK(tasks.row(kernel::kTable, i, same) == summary.row(kernel::kTable, i, same));
  }

  Tables cores =
      read_real(read_core_utilization, kVllm +
                                           "PROF_Sample/PROF_000001_20260823165611236_00628059FDLKIHNK/"
                                           "mindstudio_profiler_output/ai_core_utilization_20260823165619.csv");
  CHECK(cores.losses().empty());
  REQUIRE(cores.rows(table::meta::kTable) == 126);
  double sum_of_figures = 0;
  for (uint64_t i = 0; i < 126; ++i) sum_of_figures += std::stod(cores.row(table::meta::kTable, i, {"value"}));
  CHECK(sum_of_figures == Approx(35.024));
  CHECK(cores.row(table::meta::kTable, 125, {"key", "value"}) ==
        "ai_core_utilization.0.Average.icache_miss_rate|0.116");
}

TEST_CASE("real: msprof's timeline") {
  Tables tables = read_real(read_trace_view, kVllm +
                                                 "PROF_PipeUtilization/PROF_000001_20260823165326062_00625538CIGQAHCJ/"
                                                 "mindstudio_profiler_output/msprof_20260823165334.json");
  namespace api = table::runtime_api;
  namespace device = table::device_task;
  namespace overlap = table::overlap_span;
  CHECK(tables.losses().empty());
  CHECK(tables.rows(api::kTable) == 80);
  CHECK(sum(tables, api::kTable, api::dur_ns) == 157674870);  // as in api_statistic
  CHECK(tables.rows(device::kTable) == 6);
  CHECK(sum(tables, device::kTable, device::dur_ns) == 184983);
  CHECK(tables.rows(overlap::kTable) == 6);
  CHECK(sum(tables, overlap::kTable, overlap::dur_ns) == 158865653);
  CHECK(tables.rows(table::flow::kTable) == 3);
  CHECK(tables.rows(table::counter::kTable) == 3);
}

TEST_CASE("real: op_summary of 2023, with a record that is one cell short") {
  Tables tables = read_real(read_op_summary, "npu-insight-fixtures/test_kernel_parse/op_summary_1.csv");
  CHECK(tables.rows(kernel::kTable) == 20);
  CHECK(tables.losses() == std::vector<std::string>{"csv.ragged_record 1 @17", "csv.time_rounded 18"});
  uint64_t communication = 0;
  for (uint64_t i = 0; i < 20; ++i) {
    communication += tables.row(kernel::kTable, i, {"class"}) == "communication";
    CHECK(tables.row(kernel::kTable, i, {"step"}) == "2");
  }
  CHECK(communication == 4);
}

TEST_CASE("real: communication_matrix.json of both generations") {
  struct Expected {
    const char* path;
    uint64_t rows, totals;
    int64_t bytes, transit_ns;
  };
  for (const Expected& one : {Expected{"npu-pt-llm-pp2dp2-level2/rank_0_ascend_pt", 67, 14, 15268271176, 394430840},
                              Expected{"npu-pt-llm-pp2dp2-level2/rank_2_ascend_pt", 90, 18, 15259910448, 395146220},
                              Expected{"npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt", 48, 8, 1032662216, 56215764},
                              Expected{"npu-insight-fixtures/test_rank_0", 122, 11, 13429305784, 184462486}}) {
    INFO(one.path);
    Tables tables = read_real(read_communication_matrix,
                              one.path + std::string("/ASCEND_PROFILER_OUTPUT/communication_matrix.json"));
    CHECK(tables.losses().empty());
    CHECK(tables.rows(matrix::kTable) == one.rows);
    CHECK(tables.builder().table(matrix::kTable).column(matrix::op_name).null_count == one.totals);
    CHECK(sum(tables, matrix::kTable, matrix::bytes) == one.bytes);
    CHECK(sum(tables, matrix::kTable, matrix::transit_ns) == one.transit_ns);
  }
}

}  // namespace
}  // namespace stepwise::ingest
