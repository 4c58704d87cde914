#include <algorithm>
#include <string>
#include <vector>

#include "clients/example/summary_writers.h"

namespace stepwise::example {

Result<int64_t> write_step_trace_time(const std::filesystem::path& path, const Tally& tally) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(
      "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
      "Communication(Not Overlapped and Exclude Receive),Preparing\r\n");
  for (const StepFigures& step : tally.overlap.steps()) {
    file.integer(step.number);
    for (int64_t ns : {step.computing_ns, step.not_overlapped_ns, step.overlapped_ns(), step.communication_ns,
                       step.free_ns, step.stage_ns}) {
      file.text(",").us(ns);
    }
    file.text(",");
    if (step.bubble_ns == 0) {
      file.text("0");  // a sum of nothing is Python's integer
    } else {
      file.us(step.bubble_ns);
    }
    file.text(",").us(step.without_receive_ns()).text(",").us(step.preparing_ns()).text("\r\n");
  }
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

Result<int64_t> write_op_statistic(const std::filesystem::path& path, const TypeSums& by_type, Leading leading) {
  struct Row {
    std::string_view type;
    Core core;
    const DurationSum* sum;
  };
  std::vector<Row> rows;
  int64_t all_ns = 0;
  for (const auto& [key, sum] : by_type) {
    rows.push_back({key.first, key.second, &sum});
    all_ns += sum.total_ns;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.sum->total_ns > b.sum->total_ns; });
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(leading.header)
      .text("OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n");
  for (const Row& row : rows) {
    const DurationSum& sum = *row.sum;
    file.text(leading.cells).text(row.type).text(",").text(csv_core(row.core)).text(",").integer(sum.count);
    for (int64_t ns : {sum.total_ns, sum.min_ns, sum.average_ns(), sum.max_ns}) file.text(",").us(ns);
    const double share = static_cast<double>(sum.total_ns) / static_cast<double>(all_ns);
    file.text(",").decimal(static_cast<int64_t>(share * 100'000.0 + 0.5), 3).text("\n");
  }
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

Result<int64_t> write_api_statistic(const std::filesystem::path& path, const ApiSums& by_api, Leading leading) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(leading.header).text("Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n");
  for (const auto& [key, sum] : by_api) {  // by name: the map's order
    file.text(leading.cells)
        .text(key.second)
        .text(",")
        .text(key.first)
        .text(",")
        .us(sum.total_ns)
        .text(",")
        .integer(sum.count);
    for (int64_t ns : {sum.average_ns(), sum.min_ns, sum.max_ns}) file.text(",").us(ns);
    file.text(",").decimal(sum.variance_milli_us2(), 3).text("\n");
  }
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
