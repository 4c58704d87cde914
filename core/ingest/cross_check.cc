#include "core/ingest/cross_check.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "core/base/limits.h"
#include "core/ingest/base/json_summary.h"
#include "core/ingest/database/db_file.h"
#include "stepwise/tables.hpp"

namespace stepwise::ingest {
namespace {

// What step_trace_time.csv loses: it computes from absolute times as doubles, 0.25 us apart.
constexpr int64_t kStepToleranceNs = 500;

std::string both(const std::string& what, const std::string& file, int64_t in_file, const std::string& other,
                 int64_t in_other) {
  return what + ": " + std::to_string(in_file) + " in " + file + ", " + std::to_string(in_other) + " in " + other + ".";
}

const SourceFile* file_of(const RankLayout& rank, std::initializer_list<FileKind> kinds) {
  for (const FileKind kind : kinds) {
    if (const SourceFile* file = rank.find(kind)) return file;
  }
  return nullptr;
}

/// Types of operators whose executions the two files count differently.
void check_operator_sums(const RankLayout& rank, Diagnostics& diagnostics, store::SegmentBuilder& out) {
  namespace kernel = table::kernel;
  namespace op_stat = table::op_stat;
  const SourceFile* kernels = file_of(rank, {FileKind::kernel_details, FileKind::op_summary});
  const SourceFile* sums = rank.find(FileKind::op_statistic);
  if (kernels == nullptr || sums == nullptr || !out.has(kernel::kTable) || !out.has(op_stat::kTable)) return;

  std::map<int32_t, int64_t> executions;
  const store::ColumnBuffer& types = out.made_table(kernel::kTable).column(kernel::op_type);
  for (size_t row = 0; row < types.code.size(); ++row) {
    if (!types.is_null(row)) ++executions[types.code[row]];
  }
  if (executions.empty()) return;  // a low profiler level names no types

  std::map<int32_t, int64_t> summed;
  store::TableBuilder& stat = out.made_table(op_stat::kTable);
  for (size_t row = 0; row < stat.rows(); ++row) {
    summed[stat.values(op_stat::op_type)[row]] += stat.values(op_stat::count)[row];
  }
  uint64_t differing = 0;
  std::string first;
  for (const auto& [type, count] : summed) {
    const auto found = executions.find(type);
    const int64_t seen = found == executions.end() ? 0 : found->second;
    if (seen == count) continue;
    if (differing++ == 0) {
      first = both("Executions of " + std::string(out.dictionary().at(type)), kernels->path, seen, sums->path, count);
    }
  }
  if (differing > 0) diagnostics.count(Diag::files_disagree, sums->path, std::nullopt, differing, first);
}

void check_kernels(Database& database, const SourceFile& file, const SourceFile& text, IngestContext& context,
                   store::SegmentBuilder& out) {
  namespace kernel = table::kernel;
  int64_t operators = 0, in_database = 0;
  const store::ColumnBuffer& classes = out.made_table(kernel::kTable).column(kernel::class_);
  for (const int32_t one : classes.code) operators += out.dictionary().at(one) == "communication" ? 0 : 1;
  DbRows rows(database, "COMPUTE_TASK_INFO", {required("globalTaskId")}, file.path, context);
  if (!rows.is_there()) return;
  while (rows.next()) ++in_database;
  if (operators == in_database) return;
  context.diagnostics.count(Diag::files_disagree, file.path, std::nullopt, 1,
                            both("Operators", text.path, operators, file.path, in_database));
}

constexpr size_t kStepFigures = 4;
constexpr const char* kFigureNames[kStepFigures] = {"Computing", "Communication(Not Overlapped)", "Communication",
                                                    "Free"};

struct ToldStep {
  std::optional<int64_t> device;
  int64_t figures_ns[kStepFigures] = {};

  /// The figure that is farthest from the other's.
  size_t farthest(const ToldStep& other) const {
    size_t at = 0;
    for (size_t i = 1; i < kStepFigures; ++i) {
      if (off_ns(other, i) > off_ns(other, at)) at = i;
    }
    return at;
  }
  int64_t off_ns(const ToldStep& other, size_t figure) const {
    return std::llabs(figures_ns[figure] - other.figures_ns[figure]);
  }
  int64_t off_ns(const ToldStep& other) const { return off_ns(other, farthest(other)); }
  /// Old files tell no device.
  bool may_be_of(std::optional<int64_t> other) const { return !device || *device < 0 || !other || *other == *device; }
};
using ToldSteps = std::multimap<std::optional<int64_t>, ToldStep>;  // by number: each device may have one

ToldSteps steps_told(store::SegmentBuilder& out) {
  namespace step = table::step;
  ToldSteps told;
  const store::TableBuilder& steps = out.made_table(step::kTable);
  const auto value = [&steps](auto column, size_t row) {
    const store::ColumnBuffer& values = steps.column(column);
    return values.is_null(row) ? std::nullopt : std::optional(values.i64[row]);
  };
  for (size_t row = 0; row < steps.rows(); ++row) {
    const auto computing_ns = value(step::computing_ns, row);
    if (!computing_ns) continue;  // only timed
    told.emplace(value(step::step, row),
                 ToldStep{value(step::device, row),
                          {*computing_ns, value(step::not_overlapped_ns, row).value_or(0),
                           value(step::communication_ns, row).value_or(0), value(step::free_ns, row).value_or(0)}});
  }
  return told;
}

void check_steps(Database& database, const SourceFile& file, const SourceFile& text, IngestContext& context,
                 store::SegmentBuilder& out) {
  const ToldSteps told = steps_told(out);
  DbRows rows(database, "StepTraceTime",
              {required("computing"),
               required("communication_not_overlapped"),
               required("communication"),
               required("free"),
               {"step"},
               {"deviceId"}},
              file.path, context);
  uint64_t differing = 0;
  std::string first;
  while (rows.next()) {
    ToldStep in_database{rows.integer(5), {}};
    bool is_whole = true;
    for (size_t i = 0; i < kStepFigures; ++i) {
      const auto ns = rows.scaled(i, kUsToNs);
      is_whole &= ns && std::llabs(*ns) <= limits::kMaxDurationNs;
      in_database.figures_ns[i] = ns.value_or(0);
    }
    if (!is_whole) continue;
    const ToldStep* nearest = nullptr;
    const auto [begin, end] = told.equal_range(rows.integer(4));
    for (auto it = begin; it != end; ++it) {
      const ToldStep& one = it->second;
      if (!one.may_be_of(in_database.device)) continue;
      if (nearest == nullptr || one.off_ns(in_database) < nearest->off_ns(in_database)) nearest = &one;
    }
    if (nearest != nullptr && nearest->off_ns(in_database) <= kStepToleranceNs) continue;
    if (differing++ > 0) continue;
    const std::string number = rows.integer(4) ? " " + std::to_string(*rows.integer(4)) : "";
    if (nearest == nullptr) {
      first = "Step" + number + " stands in " + file.path + " only.";
    } else {
      const size_t at = nearest->farthest(in_database);
      first = both(kFigureNames[at] + (" of step" + number + " in ns"), text.path, nearest->figures_ns[at], file.path,
                   in_database.figures_ns[at]);
    }
  }
  if (differing > 0) context.diagnostics.count(Diag::files_disagree, file.path, std::nullopt, differing, first);
}

void check_operations(Database& database, const SourceFile& file, const SourceFile& text, IngestContext& context,
                      store::SegmentBuilder& out) {
  namespace op = table::comm_op;
  const auto in_text = static_cast<int64_t>(out.table(op::kTable).rows());
  DbRows rows(database, "CommAnalyzerTime", {required("hccl_op_name")}, file.path, context);
  if (!rows.is_there()) return;  // a low profiler level has none
  int64_t in_database = 0;
  while (rows.next()) in_database += rows.text(0) == kTotalOperation ? 0 : 1;
  if (in_text == in_database) return;
  context.diagnostics.count(Diag::files_disagree, file.path, std::nullopt, 1,
                            both("Communication operations", text.path, in_text, file.path, in_database));
}

}  // namespace

Result<void> check_files_agree(const ProfileLayout& layout, const RankLayout& rank, IngestContext& context,
                               store::SegmentBuilder& out) {
  check_operator_sums(rank, context.diagnostics, out);
  const SourceFile* kernels = file_of(rank, {FileKind::kernel_details, FileKind::op_summary});
  const SourceFile* steps = rank.find(FileKind::step_trace_time);
  const SourceFile* operations = rank.find(FileKind::communication);
  for (const SourceFile& file : rank.files) {
    if (file.state != FileState::not_used && file.state != FileState::usable) continue;
    const bool compares_kernels =
        file.kind == FileKind::profiler_db && kernels != nullptr && out.has(table::kernel::kTable);
    const bool compares_steps = file.kind == FileKind::analysis_db && steps != nullptr && out.has(table::step::kTable);
    const bool compares_operations =
        file.kind == FileKind::analysis_db && operations != nullptr && out.has(table::comm_op::kTable);
    if (!compares_kernels && !compares_steps && !compares_operations) continue;
    // One that cannot be opened is told by its reader, or was not needed.
    auto database = Database::open(layout.root / file.path, &context.cancel);
    if (!database.ok()) continue;
    if (compares_kernels) check_kernels(database.value(), file, *kernels, context, out);
    if (compares_steps) check_steps(database.value(), file, *steps, context, out);
    if (compares_operations) check_operations(database.value(), file, *operations, context, out);
  }
  if (context.cancel.is_set())
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", rank.dir};
  return {};
}

}  // namespace stepwise::ingest
