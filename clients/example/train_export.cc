#include "clients/example/train_export.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/example/analysis_db_writer.h"
#include "clients/example/export_report.h"
#include "clients/example/facts.h"
#include "clients/example/memory_writers.h"
#include "clients/example/model.h"
#include "clients/example/profiler_db_writer.h"
#include "clients/example/run.h"
#include "clients/example/summary_writers.h"
#include "clients/example/tally.h"
#include "clients/example/trace_writer.h"
#include "clients/example/truth.h"

namespace stepwise::example {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxBlocks = 1'000'000;

/// Trace events of one step, by the number of layers: a straight line, so two points tell it.
struct EventLine {
  int64_t base = 0, per_block = 1, fixed = 0;  // base: a step with one layer; fixed: of the whole trace

  int64_t minimum(int steps) const { return fixed + base * steps; }
};

int64_t events_of_one_step(Facts facts, int blocks) {
  facts.steps = 1;
  set_blocks(facts, blocks);
  const std::unique_ptr<Model> model = make_model(facts);
  Tally tally;
  run_rank(facts, *model, solve_schedule(facts, *model), 0, tally);
  return trace_events_without_counters(facts, *model, tally);
}

EventLine measure(const Facts& facts) {
  // Many layers, so that what comes by the bucket of layers weighs as much as it will.
  constexpr int kMany = 33;
  EventLine line;
  line.fixed = trace_events_without_counters(facts, *make_model(facts), Tally{});
  const int64_t one = events_of_one_step(facts, 1);
  line.base = one - line.fixed;
  line.per_block = (events_of_one_step(facts, kMany) - one) / (kMany - 1);
  return line;
}

/// Seven tenths of the events are for the model, the rest is counters, as in real traces.
int blocks_for(const EventLine& line, int64_t events, int steps) {
  const int64_t per_step = (events * 7 / 10 - line.fixed) / steps;
  return static_cast<int>(std::clamp<int64_t>((per_step - line.base) / line.per_block + 1, 1, kMaxBlocks));
}

class Exporter {
 public:
  Exporter(const ExampleOptions& options, const Facts& facts)
      : options_(options), facts_(facts), model_(make_model(facts)), schedule_(solve_schedule(facts, *model_)) {}

  Result<ExampleReport> write(int64_t minimum_events) {
    std::vector<Tally> tallies(static_cast<size_t>(facts_.ranks));
    int64_t most = 0;
    for (int rank = 0; rank < facts_.ranks; ++rank) {
      Tally& tally = tallies[static_cast<size_t>(rank)];
      run_rank(facts_, *model_, schedule_, rank, tally);
      most = std::max(most, trace_events_without_counters(facts_, *model_, tally));
    }
    report_.events_per_rank = std::max(options_.events, most);
    report_.minimum_events = facts_.blocks == 1 ? most : minimum_events;
    for (int rank = 0; rank < facts_.ranks; ++rank) {
      SW_RETURN_IF_ERROR(write_rank(rank, tallies[static_cast<size_t>(rank)]));
    }
    report_.truth = options_.dir / "truth.json";
    SW_ASSIGN_OR_RETURN(TextFile truth, TextFile::create(report_.truth));
    truth.text(dump_json_pretty(build_truth(options_, facts_, tallies, written_, memory_)));
    SW_RETURN_IF_ERROR(truth.close());
    count_file(report_, truth.bytes());
    return std::move(report_);
  }

 private:
  Result<void> write_rank(int rank, const Tally& tally) {
    const fs::path dir = options_.dir / ("rank" + std::to_string(rank) + "_ascend_pt");
    const fs::path output = dir / "ASCEND_PROFILER_OUTPUT";
    SW_RETURN_IF_ERROR(make_directory(output));
    const std::string info = "profiler_info_" + std::to_string(rank) + ".json";
    SW_RETURN_IF_ERROR(counted(write_profiler_info(dir / info, facts_, rank, tally)));
    SW_RETURN_IF_ERROR(
        counted(write_profiler_metadata(dir / "profiler_metadata.json", facts_, model_->topology(), rank)));
    MemoryModel memory(facts_.steps);
    run_rank(facts_, *model_, schedule_, rank, memory);
    memory_.push_back(sums_of(memory, tally));
    if (has_text(facts_.form)) SW_RETURN_IF_ERROR(write_text(output, rank, tally));
    if (has_db(facts_.form)) SW_RETURN_IF_ERROR(write_databases(output, rank, tally));
    return {};
  }

  Result<void> write_text(const fs::path& output, int rank, const Tally& tally) {
    WrittenCounts written;
    SW_RETURN_IF_ERROR(counted(write_step_trace_time(output / "step_trace_time.csv", tally)));
    SW_RETURN_IF_ERROR(counted(write_op_statistic(output / "op_statistic.csv", tally.by_type)));
    SW_RETURN_IF_ERROR(counted(write_api_statistic(output / "api_statistic.csv", tally.by_api)));
    SW_RETURN_IF_ERROR(counted(write_communication(output / "communication.json", tally)));
    SW_RETURN_IF_ERROR(
        counted(write_communication_matrix(output / "communication_matrix.json", model_->topology(), rank, tally)));

    SW_ASSIGN_OR_RETURN(TextFile kernels, TextFile::create(output / "kernel_details.csv"));
    KernelDetailsWriter kernel_rows(kernels, facts_);
    run_rank(facts_, *model_, schedule_, rank, kernel_rows);
    SW_RETURN_IF_ERROR(kernels.close());
    count_file(report_, kernels.bytes());

    SW_ASSIGN_OR_RETURN(TextFile operators, TextFile::create(output / "operator_details.csv"));
    OperatorDetailsWriter operator_rows(operators);
    run_rank(facts_, *model_, schedule_, rank, operator_rows);
    SW_RETURN_IF_ERROR(operators.close());
    count_file(report_, operators.bytes());
    written.operator_details_rows = operator_rows.rows();

    SW_RETURN_IF_ERROR(write_memory(output, rank, tally));

    written.counters = report_.events_per_rank - trace_events_without_counters(facts_, *model_, tally);
    SW_ASSIGN_OR_RETURN(TraceWritten trace, write_trace(output / "trace_view.json", facts_, *model_, schedule_, rank,
                                                        tally, written.counters));
    count_file(report_, trace.bytes);
    written.trace_events = trace.events;
    written_.push_back(written);
    return {};
  }

  Result<void> write_memory(const fs::path& output, int rank, const Tally& tally) {
    const int64_t device = TracePids(facts_, model_->topology(), rank).device;
    SW_ASSIGN_OR_RETURN(TextFile records, TextFile::create(output / "memory_record.csv"));
    SW_ASSIGN_OR_RETURN(TextFile blocks, TextFile::create(output / "operator_memory.csv"));
    MemoryTextWriter memory(records, blocks, facts_.steps, device, tally, memory_.back());
    run_rank(facts_, *model_, schedule_, rank, memory);
    for (TextFile* file : {&records, &blocks}) {
      SW_RETURN_IF_ERROR(file->close());
      count_file(report_, file->bytes());
    }
    return counted(write_npu_module_mem(output / "npu_module_mem.csv", device, tally));
  }

  Result<void> write_databases(const fs::path& output, int rank, const Tally& tally) {
    const TracePids pids(facts_, model_->topology(), rank);
    SW_ASSIGN_OR_RETURN(SqliteFile db,
                        SqliteFile::create(output / ("ascend_pytorch_profiler_" + std::to_string(rank) + ".db")));
    create_msprof_tables(db);
    create_torch_tables(db);
    insert_enums(db);
    insert_session(db, static_cast<int>(pids.device), tally.recording_start_ns(), tally.recording_end_ns());
    ProfilerDbWriter rows(db, pids, rank, facts_.dynamic_kernels);
    rows.control_task("PROFILING_ENABLE", tally.recording_start_ns(), 1);
    run_rank(facts_, *model_, schedule_, rank, rows);
    rows.control_task("PROFILING_DISABLE", tally.recording_end_ns(), 2);
    rows.finish();
    MemoryDbWriter memory(db, facts_.steps, pids.device, tally, memory_.back());
    run_rank(facts_, *model_, schedule_, rank, memory);
    SW_RETURN_IF_ERROR(counted(db.close()));
    return counted(write_analysis_db(output / "analysis.db", model_->topology(), rank, tally));
  }

  Result<void> counted(Result<int64_t> bytes) { return count_file(report_, std::move(bytes)); }

  const ExampleOptions& options_;
  const Facts& facts_;
  const std::unique_ptr<Model> model_;
  const CollectiveSchedule schedule_;
  ExampleReport report_;
  std::vector<WrittenCounts> written_;
  std::vector<MemorySums> memory_;
};

}  // namespace

Result<ExampleReport> write_training(const ExampleOptions& options) {
  Facts facts = draw_facts(options);
  const EventLine line = measure(facts);
  set_blocks(facts, blocks_for(line, options.events, options.steps));
  return Exporter(options, facts).write(line.minimum(options.steps));
}

}  // namespace stepwise::example
