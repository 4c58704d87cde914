#include "core/ingest/cross_check.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

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

void check_steps(Database& database, const SourceFile& file, const SourceFile& text, IngestContext& context,
                 store::SegmentBuilder& out) {
  namespace step = table::step;
  const auto known = [](int64_t number) { return std::optional<int64_t>(number); };
  std::map<std::optional<int64_t>, int64_t> computing_ns;
  store::TableBuilder& steps = out.made_table(step::kTable);
  for (size_t row = 0; row < steps.rows(); ++row) {
    if (steps.column(step::computing_ns).is_null(row)) continue;
    const auto number = steps.column(step::step).is_null(row) ? std::nullopt : known(steps.values(step::step)[row]);
    computing_ns[number] = steps.values(step::computing_ns)[row];
  }
  DbRows rows(database, "StepTraceTime", {required("computing"), {"step"}}, file.path, context);
  uint64_t differing = 0;
  std::string first;
  while (rows.next()) {
    const auto found = computing_ns.find(rows.integer(1));
    const auto in_database = rows.scaled(0, kUsToNs);
    if (!in_database || (found != computing_ns.end() && std::llabs(found->second - *in_database) <= kStepToleranceNs)) {
      continue;
    }
    if (differing++ > 0) continue;
    const std::string number = rows.integer(1) ? " " + std::to_string(*rows.integer(1)) : "";
    first = found == computing_ns.end()
                ? "Step" + number + " stands in " + file.path + " only."
                : both("Computing of step" + number + " in ns", text.path, found->second, file.path, *in_database);
  }
  if (differing > 0) context.diagnostics.count(Diag::files_disagree, file.path, std::nullopt, differing, first);
}

}  // namespace

Result<void> check_files_agree(const ProfileLayout& layout, const RankLayout& rank, IngestContext& context,
                               store::SegmentBuilder& out) {
  check_operator_sums(rank, context.diagnostics, out);
  const SourceFile* kernels = file_of(rank, {FileKind::kernel_details, FileKind::op_summary});
  const SourceFile* steps = rank.find(FileKind::step_trace_time);
  for (const SourceFile& file : rank.files) {
    if (file.state != FileState::not_used && file.state != FileState::usable) continue;
    const bool compares_kernels =
        file.kind == FileKind::profiler_db && kernels != nullptr && out.has(table::kernel::kTable);
    const bool compares_steps = file.kind == FileKind::analysis_db && steps != nullptr && out.has(table::step::kTable);
    if (!compares_kernels && !compares_steps) continue;
    // One that cannot be opened is told by its reader, or was not needed.
    auto database = Database::open(layout.root / file.path, &context.cancel);
    if (!database.ok()) continue;
    if (compares_kernels) check_kernels(database.value(), file, *kernels, context, out);
    if (compares_steps) check_steps(database.value(), file, *steps, context, out);
  }
  if (context.cancel.is_set())
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", rank.dir};
  return {};
}

}  // namespace stepwise::ingest
