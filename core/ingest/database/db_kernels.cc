#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/ingest/base/scaled_double.h"
#include "core/ingest/database/db_inferences.h"
#include "core/ingest/database/db_kernels.h"
#include "core/ingest/exports/kernel_table.h"
#include "core/ingest/timeline/trace_event.h"
#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

/// TASK_PMU_INFO's figures that the table has; times are in ns.
constexpr std::string_view kFigures[] = {"aic_total_time",   "aiv_total_time", "aic_mac_ratio",     "aic_scalar_ratio",
                                         "aic_mte1_ratio",   "aic_mte2_ratio", "aic_fixpipe_ratio", "aiv_vec_ratio",
                                         "aiv_scalar_ratio", "aiv_mte2_ratio", "aiv_mte3_ratio"};
constexpr size_t kFigureCount = std::size(kFigures);
using Figures = std::array<double, kFigureCount>;

/// A kernel or a collective.
struct Row {
  int64_t start_ns = 0, dur_ns = 0, src_pos = 0;
  std::optional<int64_t> device;
  const DbKernel* kernel = nullptr;
  const DbCollective* collective = nullptr;
};

using FiguresOfTasks = std::unordered_map<int64_t, Figures>;

FiguresOfTasks read_figures(Database& database, const DbStrings& strings, const std::string& file,
                            IngestContext& context) {
  FiguresOfTasks out;
  DbRows rows(database, "TASK_PMU_INFO", {required("globalTaskId"), required("name"), required("value")}, file,
              context);
  while (rows.next()) {
    const auto id = rows.integer(0);
    const auto name = strings.find(rows.integer(1));
    if (!id || !name) {
      rows.leave_out("names no task or no figure");
      continue;
    }
    const auto* const figure = std::find(std::begin(kFigures), std::end(kFigures), *name);
    if (figure == std::end(kFigures)) continue;
    Figures empty;
    empty.fill(kNoFigure);
    out.try_emplace(*id, empty).first->second[static_cast<size_t>(figure - kFigures)] =
        rows.real(2).value_or(kNoFigure);
  }
  return out;
}

std::string_view without_quotes(std::string_view shapes) {
  const bool is_quoted = shapes.size() >= 2 && shapes.front() == '"' && shapes.back() == '"';
  return is_quoted ? shapes.substr(1, shapes.size() - 2) : shapes;
}

class Filler {
 public:
  Filler(const DbStrings& strings, const DbDevice& device, store::TableBuilder& rows)
      : strings_(strings), device_(device), rows_(rows) {}

  void add_kernel(const DbKernel& one, const Figures* figures) {
    const DbTask& task = device_.tasks[one.task];
    rows_.append(kernel::name, strings_.find(one.name).value_or("?"));
    rows_.append_or_null(kernel::op_type, strings_.known(one.op_type));
    rows_.append_or_null(kernel::core_type, strings_.known(one.core_type));
    rows_.append_or_null(kernel::stream, task.stream);
    rows_.append_or_null(kernel::block_dim, one.block_dim);
    rows_.append_or_null(kernel::op_state, strings_.known(one.op_state));
    rows_.append_or_null(kernel::hf32, strings_.known(one.hf32));
    rows_.append_or_null(kernel::model_id, task.model_id);
    rows_.append_or_null(kernel::task_id, task.task_id);
    shapes(kernel::input_shapes, one.input_shapes);
    rows_.append_or_null(kernel::input_dtypes, strings_.known(one.input_dtypes));
    rows_.append_or_null(kernel::input_formats, strings_.known(one.input_formats));
    shapes(kernel::output_shapes, one.output_shapes);
    rows_.append_or_null(kernel::output_dtypes, strings_.known(one.output_dtypes));
    rows_.append_or_null(kernel::output_formats, strings_.known(one.output_formats));
    add_figures(figures);
  }

  void add_collective(const DbCollective& one, std::optional<int64_t> model_id, std::string_view core) {
    rows_.append(kernel::name, strings_.find(one.name).value_or("?"));
    rows_.append_or_null(kernel::op_type, strings_.known(one.op_type));
    rows_.append(kernel::core_type, core);
    rows_.append(kernel::block_dim, 0);
    rows_.append_or_null(kernel::model_id, model_id);
    rows_.null(kernel::stream);
    rows_.null(kernel::task_id);
    rows_.null(kernel::op_state);
    rows_.null(kernel::hf32);
    rows_.null(kernel::input_shapes);
    rows_.null(kernel::input_dtypes);
    rows_.null(kernel::input_formats);
    rows_.null(kernel::output_shapes);
    rows_.null(kernel::output_dtypes);
    rows_.null(kernel::output_formats);
    add_figures(nullptr);
  }

 private:
  template <size_t I>
  void shapes(table::Col<table::Type::code, I> column, std::optional<int64_t> id) {
    const auto text = strings_.known(id);
    rows_.append_or_null(column, text ? std::optional(without_quotes(*text)) : std::nullopt);
  }

  void add_figures(const Figures* figures) {
    time(kernel::aic_time_ns, figures, 0);
    time(kernel::aiv_time_ns, figures, 1);
    ratio(kernel::aic_mac_ratio, figures, 2);
    ratio(kernel::aic_scalar_ratio, figures, 3);
    ratio(kernel::aic_mte1_ratio, figures, 4);
    ratio(kernel::aic_mte2_ratio, figures, 5);
    ratio(kernel::aic_fixpipe_ratio, figures, 6);
    ratio(kernel::aiv_vec_ratio, figures, 7);
    ratio(kernel::aiv_scalar_ratio, figures, 8);
    ratio(kernel::aiv_mte2_ratio, figures, 9);
    ratio(kernel::aiv_mte3_ratio, figures, 10);
    rows_.null(kernel::cube_utilization_ratio);
    rows_.null(kernel::correlation_id);
    rows_.null(kernel::bytes);
    rows_.null(kernel::group_id);
  }
  template <size_t I>
  void time(table::Col<table::Type::i64, I> column, const Figures* figures, size_t figure) {
    const auto ns = figures == nullptr ? std::nullopt : scaled_double((*figures)[figure], 0);
    rows_.append_or_null(column, ns);
  }
  template <size_t I>
  void ratio(table::Col<table::Type::f64, I> column, const Figures* figures, size_t figure) {
    const double value = figures == nullptr ? kNoFigure : (*figures)[figure];
    rows_.append_or_null(column, std::isnan(value) ? std::nullopt : std::optional(value));
  }

  const DbStrings& strings_;
  const DbDevice& device_;
  store::TableBuilder& rows_;
};

std::vector<Row> rows_by_start(const DbDevice& device) {
  std::vector<Row> rows;
  for (const DbKernel& one : device.kernels) {
    const DbTask& task = device.tasks[one.task];
    rows.push_back({task.start_ns, task.dur_ns, task.row, task.device, &one, nullptr});
  }
  // Old files say of no collective on which device it ran; such a file is of one.
  const auto only = device.tasks.empty() ? std::nullopt : device.tasks.front().device;
  for (const DbCollective& one : device.collectives) {
    rows.push_back({one.start_ns, one.dur_ns, one.row, one.device ? one.device : only, nullptr, &one});
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    const auto key = [](const Row& row) { return std::tuple(row.start_ns, row.collective != nullptr, row.src_pos); };
    return key(a) < key(b);
  });
  return rows;
}

}  // namespace

void fill_kernels(Database& database, const DbStrings& strings, const DbApiTypes& types, const DbDevice& device,
                  const DbSteps& steps, const std::string& file, IngestContext& context, store::SegmentBuilder& out) {
  const std::vector<Row> ordered = rows_by_start(device);
  if (ordered.empty()) return;
  const FiguresOfTasks figures = read_figures(database, strings, file, context);
  std::optional<DbInferences> inferences;
  if (!steps.are_of_framework()) inferences.emplace(database, strings, types, device, file, context);
  const auto step_of = [&](const Row& row) {
    if (!inferences) return steps.step_at(row.start_ns);
    return row.kernel != nullptr ? inferences->of_kernel(device.tasks[row.kernel->task])
                                 : inferences->of_collective(*row.collective);
  };
  std::unordered_map<int64_t, int64_t> model_of_connection;
  if (!device.collectives.empty()) {
    for (const DbTask& task : device.tasks) {
      if (task.connection && task.model_id) model_of_connection.emplace(*task.connection, *task.model_id);
    }
  }
  const std::string_view core = types.has("hccl") ? "HCCL" : "COMMUNICATION";
  store::TableBuilder& rows = out.table(kernel::kTable);
  out.set_source_file(kernel::kTable, file);
  Filler filler(strings, device, rows);
  std::unordered_map<int64_t, int64_t> end_of_device;
  for (const Row& row : ordered) {
    if (row.kernel != nullptr) {
      const auto it = figures.find(device.tasks[row.kernel->task].global_id);
      filler.add_kernel(*row.kernel, it == figures.end() ? nullptr : &it->second);
    } else {
      const auto it = model_of_connection.find(row.collective->connection.value_or(kInvalidId));
      filler.add_collective(*row.collective, it == model_of_connection.end() ? std::nullopt : std::optional(it->second),
                            core);
    }
    const auto [end, is_first] = end_of_device.try_emplace(row.device.value_or(-1), row.start_ns);
    rows.append(kernel::wait_ns, std::max<int64_t>(0, row.start_ns - end->second));
    end->second = row.start_ns + row.dur_ns;
    rows.append(kernel::class_, kCompute);
    rows.append_or_null(kernel::step, step_of(row));
    rows.append_or_null(kernel::device, row.device);
    rows.append(kernel::start_ns, row.start_ns);
    rows.append(kernel::dur_ns, row.dur_ns);
    rows.append(kernel::src_pos, row.src_pos);
    rows.end_row();
  }
  classify_kernels(out);
}

KernelRows list_kernels(const DbStrings& strings, const DbDevice& device) {
  KernelRows out;
  for (const Row& row : rows_by_start(device)) {
    const DbTask* const task = row.kernel == nullptr ? nullptr : &device.tasks[row.kernel->task];
    const auto name = strings.find(task == nullptr ? row.collective->name : row.kernel->name);
    out.start_ns.push_back(row.start_ns);
    out.stream.push_back(task == nullptr ? kNoNumber : task->stream.value_or(kNoNumber));
    out.task_id.push_back(task == nullptr ? kNoNumber : task->task_id.value_or(kNoNumber));
    out.name.push_back(out.names.intern(name.value_or("?")));
    out.communicates.push_back(task == nullptr);
  }
  return out;
}

}  // namespace stepwise::ingest
