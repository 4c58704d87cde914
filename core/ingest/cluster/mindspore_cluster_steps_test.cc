// ascend_cluster_analyse_*.csv of MindSpore before 2.4: what it adds to the iterations of the same device.
#include <string>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/discovery/layout_test_tree.h"
#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest_group_test_read.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Lines = std::vector<std::string>;

const table::TableDecl& kStep = table::step::kTable;

constexpr const char* kSteps =
    "step_num,start_point,end_point,total\n1,5,20000005,20000000\n2,20000005,40000006,20000001\n-,5,20000005,"
    "20000000\n";
constexpr const char* kPipeline =
    "computation_time,communication_alone_time,stage_time,receive_alone_time,collective_communication_alone_time\n"
    "13.8202,164.476,121.8989,56.3973,108.0787\n14.5806,165.8363,124.2475,56.1695,109.6669\n14.2,165,123,56.2,108.9\n";

struct Both {
  Lines steps, losses;
};

Both read_both(const std::string& steps, const std::string& cluster, size_t chunk = limits::kCsvChunkBytes) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, read_ms_steps, folder.write("steps", steps), chunk);
  read_into(tables, read_ms_cluster_steps, folder.write("cluster", cluster), chunk);
  Both both;
  for (uint64_t i = 0; i < tables.rows(kStep); ++i) {
    both.steps.push_back(tables.row(
        kStep, i,
        {"step", "computing_ns", "not_overlapped_ns", "stage_ns", "bubble_ns", "not_overlapped_exclude_receive_ns"}));
  }
  both.losses = tables.losses();
  return both;
}

const Lines kUntouched{"1|null|null|null|null|null", "2|null|null|null|null|null"};

}  // namespace

TEST_CASE("MindSpore: what a step communicated alone, of pipelines and of models that are split") {
  const Both pipeline = read_both(kSteps, kPipeline);
  CHECK(pipeline.steps ==
        Lines{"1|null|164476000|121898900|56397300|108078700", "2|null|165836300|124247500|56169500|109666900"});
  CHECK(pipeline.losses.empty());
  // Without means behind it, and with spaces behind the names.
  const Both model = read_both(kSteps, "computation , communication_alone_time \n70,129.1231\n1,2\n");
  CHECK(model.steps == Lines{"1|null|129123100|null|null|null", "2|null|2000000|null|null|null"});
  CHECK(model.losses.empty());
}

TEST_CASE("MindSpore: rows of a cluster analysis that are no steps are told, and taken for none") {
  const std::string header = "computation,communication_alone_time\n";
  const Both fewer = read_both(kSteps, header + "1,2\n");
  CHECK(fewer.steps == kUntouched);
  CHECK(fewer.losses == Lines{"files.disagree 1"});
  const Both more = read_both(kSteps, header + "1,2\n1,2\n1,2\n1,2\n");
  CHECK(more.steps == kUntouched);
  CHECK(more.losses == Lines{"files.disagree 1"});
  const Both bad = read_both(kSteps, header + "1,x\n1,2\n");
  CHECK(bad.steps == Lines{"1|null|null|null|null|null", "2|null|2000000|null|null|null"});
  CHECK(bad.losses == Lines{"csv.bad_cell 1 @2"});
  const Both longer = read_both(kSteps, header + "1,200.000001\n1,200.00001\n");
  CHECK(longer.steps == Lines{"1|null|null|null|null|null", "2|null|200000010|null|null|null"});
  CHECK(longer.losses == Lines{"files.disagree 1"});
  CHECK(read_both(kSteps, header + "1,-2\n1,2\n").losses == Lines{"csv.bad_cell 1 @2"});
  // A row that is lost keeps its place.
  const Both ragged = read_both(kSteps, header + "1\n1,2\n1,3\n");
  CHECK(ragged.steps == Lines{"1|null|null|null|null|null", "2|null|2000000|null|null|null"});
  CHECK(ragged.losses == Lines{"csv.ragged_record 1 @2"});
  CHECK(read_both(kSteps, "iteration_interval, fp_and_bp, tail\n0, 1, 2\n").losses == Lines{"csv.no_header 1 @1"});
  CHECK(read_both(kSteps, "").losses == Lines{"file.empty 1"});
}

TEST_CASE("MindSpore: a cluster analysis cut anywhere, and told; in chunks of any size the same") {
  const std::string text = kPipeline;
  const Both whole = read_both(kSteps, text);
  for (size_t chunk = 1; chunk <= text.size() + 1; ++chunk) CHECK(read_both(kSteps, text, chunk).steps == whole.steps);
  const size_t behind_steps = text.rfind('\n', text.size() - 2) + 1;  // the row of means may be missing
  for (size_t length = 0; length < text.size(); ++length) {
    INFO(length);
    const Both cut = read_both(kSteps, text.substr(0, length));
    CHECK(cut.losses.empty() == (length == behind_steps));
  }
}

TEST_CASE("MindSpore: a cluster analysis is read beside the iterations that it is about") {
  Tree tree;
  tree.file("step_trace_raw_0_detail_time.csv", kSteps)
      .file("ascend_cluster_analyse_pipeline-parallel_2_4_0.csv", kPipeline)
      .file("ascend_cluster_analyse_data-parallel_1_1_0.csv", "iteration_interval, fp_and_bp, tail\n0, 1, 2\n")
      .file("aicore_intermediate_1_type.csv", "kernel_type,total_time,execution_frequency\nAdd,1,1\n")
      .file("ascend_cluster_analyse_model-parallel_2_4_1.csv", "computation,communication_alone_time\n1,2\n")
      .file("ascend_cluster_analyse_model-parallel_2_4_2.csv", "computation,communication_alone_time\n1,2\n");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  REQUIRE(layout.value().ranks.size() == 2);
  std::string files;
  for (const SourceFile& file : layout.value().ranks[0].files) files += file.path + ": " + file.why_not + "\n";
  CHECK(files ==
        "ascend_cluster_analyse_data-parallel_1_1_0.csv: step_trace_raw_*_detail_time.csv holds the same\n"
        "ascend_cluster_analyse_pipeline-parallel_2_4_0.csv: \nstep_trace_raw_0_detail_time.csv: \n");
  CHECK(layout.value().ranks[1].find(FileKind::ms_cluster_steps) == nullptr);
  REQUIRE(layout.value().unclaimed.size() == 1);
  CHECK(layout.value().unclaimed[0].why_not ==
        "it only says more about steps that another file times, and there is none");

  Tables tables = read_files_group(layout.value());
  CHECK(tables.row(kStep, 1, {"step", "iteration_ns", "bubble_ns"}) == "2|200000010|56169500");
  CHECK(tables.losses().empty());
}

}  // namespace stepwise::ingest
