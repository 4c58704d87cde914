// The summary files of one rank, in the exact text of torch_npu's export of January 2025. Line ends as there: CRLF
// where torch_npu writes the file itself, LF where it passes on what msprof wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "clients/example/facts.h"
#include "clients/example/tally.h"
#include "clients/example/text_file.h"
#include "clients/example/timeline.h"

namespace stepwise::example {

/// Each writes one file and gives its size. Errors: io `example.write`.
Result<int64_t> write_step_trace_time(const std::filesystem::path& path, const Tally& tally);
/// Columns that some exporters put first: their headers, and what stands in every row.
struct Leading {
  std::string_view header, cells;
};
Result<int64_t> write_op_statistic(const std::filesystem::path& path, const TypeSums& by_type, Leading leading = {});
Result<int64_t> write_api_statistic(const std::filesystem::path& path, const ApiSums& by_api, Leading leading = {});
Result<int64_t> write_communication(const std::filesystem::path& path, const Tally& tally);
Result<int64_t> write_communication_matrix(const std::filesystem::path& path, const Topology& topology, int rank,
                                           const Tally& tally);
Result<int64_t> write_profiler_info(const std::filesystem::path& path, const Facts& facts, int rank,
                                    const Tally& tally);
Result<int64_t> write_profiler_metadata(const std::filesystem::path& path, const Facts& facts, const Topology& topology,
                                        int rank);

/// kernel_details.csv: computations and collectives of a step sorted by start.
class KernelDetailsWriter : public TimelineSink {
 public:
  KernelDetailsWriter(TextFile& file, const Facts& facts);
  void kernel(const KernelRun& run) override;
  void collective(const CollectiveRun& run) override;
  void step_end(const StepRange& range) override;

 private:
  struct Row {
    int64_t start_ns, end_ns;
    int32_t collective;  // index into collectives_, -1: a kernel
    KernelRun kernel;
  };
  void write_kernel(const Row& row, int64_t step);
  void write_collective(const CollectiveRun& run, int64_t step);
  void start_and_wait(int64_t start_ns, int64_t end_ns);

  TextFile& file_;
  const Facts& facts_;
  std::vector<Row> rows_;
  std::vector<CollectiveRun> collectives_;
  int64_t previous_end_ns_ = -1;
};

/// operator_details.csv: every framework call but the steps themselves, by start.
class OperatorDetailsWriter : public TimelineSink {
 public:
  explicit OperatorDetailsWriter(TextFile& file);
  void host_op(const HostOp& op) override;
  void step_end(const StepRange& range) override;
  int64_t rows() const { return rows_written_; }

 private:
  TextFile& file_;
  std::vector<HostOp> open_;
  int64_t rows_written_ = 0;
};

}  // namespace stepwise::example
