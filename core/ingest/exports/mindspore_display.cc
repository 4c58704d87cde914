// ascend_timeline_display_<device>.json (older: timeline_display_<device>.json) of MindSpore before 2.4: a list of
// slices for a viewer, one for each execution of an operator, with its tensors as arguments. What ran on the AI CPU has
// a process of its own; what else has no arguments only says when a stream was busy. Times are us from the first slice.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/base/json_summary.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/base/set_value.h"
#include "core/ingest/base/table_order.h"
#include "core/ingest/exports/kernel_table.h"
#include "core/ingest/exports/mindspore_legacy.h"
#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;
namespace aicpu_task = table::aicpu_task;

constexpr int kSliceDepth = 2;  // a slice's object lies in the list
constexpr int64_t kAicpuProcess = 9000;

struct Tensor {
  bool is_input = true;
  int64_t number = 0;
  std::string shape, dtype, format;
};

struct Slice {
  std::optional<std::string> name, full_name, type;
  std::optional<int64_t> process, start_ns, dur_ns, stream;
  bool is_whole = false, has_arguments = false;
  std::vector<Tensor> tensors;
  int64_t place = 0;
};

/// "input_3" is the tensor's key; false: it is another argument.
bool read_tensor_key(std::string_view key, Tensor& tensor) {
  constexpr std::string_view kInput = "input_", kOutput = "output_";
  tensor.is_input = key.starts_with(kInput);
  if (!tensor.is_input && !key.starts_with(kOutput)) return false;
  const auto number = to_integer(key.substr(tensor.is_input ? kInput.size() : kOutput.size()));
  tensor.number = number.value_or(0);
  return number.has_value();
}

/// The tensors' parts by ';', in the order of their numbers; nullopt: they say nothing.
std::optional<std::string> join(const std::vector<Tensor>& tensors, bool inputs, std::string Tensor::*part) {
  std::string text;
  bool is_first = true;
  for (const Tensor& one : tensors) {
    if (one.is_input != inputs) continue;
    if (!is_first) text += ';';
    text += one.*part;
    is_first = false;
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

class Display {
 public:
  Display(const std::string& file, IngestContext& context, store::SegmentBuilder& out)
      : file_(file), context_(context), out_(out), summary_(file, context) {}

  Result<void> run(const std::filesystem::path& file) {
    wants_kernels_ = !out_.has(kernel::kTable);
    wants_aicpu_ = !out_.has(aicpu_task::kTable);
    SW_RETURN_IF_ERROR(summary_.read_elements(file, kSliceDepth, [this](JsonNode node) { return read_slice(node); }));
    if (wants_kernels_ && out_.has(kernel::kTable)) {
      finish_rows(out_.table(kernel::kTable), kernel::start_ns);
      finish_ms_kernels(KernelPlaces::bytes, file_, context_.diagnostics, out_);
    }
    if (wants_aicpu_ && out_.has(aicpu_task::kTable)) {
      finish_rows(out_.table(aicpu_task::kTable), aicpu_task::start_ns);
    }
    return {};
  }

 private:
  /// Columns that no slice fills were left empty. Every slice has a start.
  template <size_t I>
  static void finish_rows(store::TableBuilder& rows, table::Col<table::Type::i64, I> start) {
    const size_t count = rows.values(start).size();
    for (store::ColumnBuffer& column : rows.columns()) {
      if (column.rows() == 0) fill_with_nulls(column, count);
    }
    rows.end_rows();
    sort_rows(rows);
  }

  Walk read_slice(JsonNode node) {
    if (context_.cancel.is_set()) return Walk::broken;
    Slice slice;
    slice.place = summary_.place_of(node);
    const auto take = [&](std::string_view key, JsonNode value, int64_t place) {
      if (key == "name") slice.name = value.text();
      if (key == "ph") slice.is_whole = value.text() == "X";
      if (key == "ts") slice.start_ns = value.bare_scaled(kUsToNs);
      if (key == "dur") slice.dur_ns = value.bare_scaled(kUsToNs);
      if (key == "pid") slice.process = value.bare_scaled(0);
      if (key == "tid") slice.stream = value.bare_scaled(0);
      return key == "args" ? read_arguments(value, place, slice) : Walk::done;
    };
    if (const Walk walk = summary_.each_field(node, slice.place, "a slice", take); walk != Walk::done) return walk;
    if (!slice.is_whole) return Walk::done;  // names of threads
    const bool has_times = slice.start_ns && *slice.start_ns >= 0 && *slice.start_ns <= limits::kMaxInstantNs &&
                           slice.dur_ns && *slice.dur_ns >= 0 && *slice.dur_ns <= limits::kMaxDurationNs;
    if (!slice.name || !has_times) {
      summary_.count_shape(slice.place, "First: a slice has no name, start and duration that make sense.");
    } else if (slice.has_arguments) {
      if (wants_kernels_) append_kernel(slice);
    } else if (wants_aicpu_ && slice.process == kAicpuProcess) {
      append_aicpu(slice);
    }
    return Walk::done;
  }

  Walk read_arguments(JsonNode node, int64_t place, Slice& slice) {
    slice.has_arguments = true;
    const auto take = [&](std::string_view key, JsonNode value, int64_t at) {
      if (key == "type") slice.type = value.text();
      if (key == "fullname") slice.full_name = value.text();
      Tensor tensor;
      return read_tensor_key(key, tensor) ? read_tensor(value, at, std::move(tensor), slice) : Walk::done;
    };
    return summary_.each_field(node, place, "a slice's arguments", take);
  }

  Walk read_tensor(JsonNode node, int64_t place, Tensor tensor, Slice& slice) {
    const auto take = [&](std::string_view key, JsonNode value, int64_t) {
      if (key == "shape") tensor.shape = value.text().value_or("");
      if (key == "data_type") tensor.dtype = value.text().value_or("");
      if (key == "format") tensor.format = value.text().value_or("");
      return Walk::done;
    };
    const Walk walk = summary_.each_field(node, place, "a tensor", take);
    if (walk == Walk::done) slice.tensors.push_back(std::move(tensor));
    return walk;
  }

  void append_kernel(Slice& slice) {
    std::stable_sort(slice.tensors.begin(), slice.tensors.end(),
                     [](const Tensor& a, const Tensor& b) { return a.number < b.number; });
    store::TableBuilder& rows = out_.table(kernel::kTable);
    out_.set_source_file(kernel::kTable, file_);
    rows.append(kernel::name, slice.full_name ? *slice.full_name : *slice.name);
    rows.append_or_null(kernel::op_type, slice.type);
    rows.append(kernel::class_, kCompute);  // corrected when all are there
    rows.append_or_null(kernel::stream, slice.stream);
    rows.append(kernel::start_ns, *slice.start_ns);
    rows.append(kernel::dur_ns, *slice.dur_ns);
    rows.append_or_null(kernel::input_shapes, join(slice.tensors, true, &Tensor::shape));
    rows.append_or_null(kernel::input_dtypes, join(slice.tensors, true, &Tensor::dtype));
    rows.append_or_null(kernel::input_formats, join(slice.tensors, true, &Tensor::format));
    rows.append_or_null(kernel::output_shapes, join(slice.tensors, false, &Tensor::shape));
    rows.append_or_null(kernel::output_dtypes, join(slice.tensors, false, &Tensor::dtype));
    rows.append_or_null(kernel::output_formats, join(slice.tensors, false, &Tensor::format));
    rows.append(kernel::src_pos, slice.place);
  }

  void append_aicpu(const Slice& slice) {
    store::TableBuilder& rows = out_.table(aicpu_task::kTable);
    out_.set_source_file(aicpu_task::kTable, file_);
    rows.append(aicpu_task::start_ns, *slice.start_ns);
    rows.append(aicpu_task::name, *slice.name);
    rows.append(aicpu_task::task_ns, *slice.dur_ns);
    rows.append(aicpu_task::src_pos, slice.place);
  }

  const std::string& file_;
  IngestContext& context_;
  store::SegmentBuilder& out_;
  JsonSummary summary_;
  bool wants_kernels_ = false, wants_aicpu_ = false;
};

}  // namespace

Result<void> read_ms_display(const std::filesystem::path& file, const std::string& relative_path,
                             IngestContext& context, store::SegmentBuilder& out) {
  return Display(relative_path, context, out).run(file);
}

}  // namespace stepwise::ingest
