// framework_raw_<device>.csv of MindSpore before 2.4: what the graph says of the operators that the other files time.
// It is joined to them by the operator's full name.
#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/base/set_value.h"
#include "core/ingest/csv/csv_rows.h"
#include "stepwise/tables_device.hpp"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

enum Column : size_t { kName, kType, kBlockDim, kInfo };
constexpr CsvColumnName kColumns[] = {
    {{"full_kernel_name", "full_op_name", nullptr}, true},
    {{"kernel_type", "op_type", nullptr}, true},
    {{"block_dim", nullptr, nullptr}, false},
    {{"op_info", nullptr, nullptr}, false},
};

/// Of inputs, or of outputs: each tensor's part by ';'.
struct Tensors {
  std::string shapes, dtypes, formats;
  bool is_empty = true;

  void add(const Json& tensor) {
    for (auto [text, key] : {std::pair{&shapes, "shape"}, {&dtypes, "data_type"}, {&formats, "format"}}) {
      if (!is_empty) *text += ';';
      const auto found = tensor.find(key);
      if (found != tensor.end() && found->is_string()) *text += found->get_ref<const std::string&>();
    }
    is_empty = false;
  }
};

struct Operator {
  std::string type;
  std::optional<int64_t> block_dim;
  Tensors inputs, outputs;
};

/// {"input_0": {"format", "data_type", "shape"}, ..., "output_0": ...}. False: it is something else.
bool read_info(std::string_view text, Operator& out) {
  const Result<Json> info = parse_json(text);
  if (!info.ok() || !info.value().is_object()) return false;
  std::map<int64_t, const Json*> inputs, outputs;  // in order: "input_10" stands behind "input_9"
  for (const auto& [key, tensor] : info.value().items()) {
    const bool is_input = key.starts_with("input_"), is_output = key.starts_with("output_");
    if (!is_input && !is_output) continue;  // attributes of the operator
    const auto number = to_integer(std::string_view(key).substr(key.find('_') + 1));
    if (!number || !tensor.is_object()) return false;
    (is_input ? inputs : outputs).emplace(number.value_or(0), &tensor);
  }
  for (const auto& [number, tensor] : inputs) out.inputs.add(*tensor);
  for (const auto& [number, tensor] : outputs) out.outputs.add(*tensor);
  return true;
}

class Framework {
 public:
  Framework(const std::string& file, IngestContext& context) : file_(file), context_(context) {}

  void take(std::span<const std::string_view> cells, int64_t number, int64_t line) {
    if (cells[kName].empty()) return lose(line, "First: row " + std::to_string(number) + " names no operator.");
    Operator one;
    one.type = to_valid_utf8(cells[kType]);
    if (!cells[kBlockDim].empty()) {
      one.block_dim = to_integer(cells[kBlockDim]);
      if (!one.block_dim) lose(line, "First: row " + std::to_string(number) + ", block_dim is no number.");
    }
    if (!cells[kInfo].empty() && !read_info(cells[kInfo], one)) {
      lose(line, "First: row " + std::to_string(number) + ", op_info is no object of tensors.");
    }
    operators_.emplace(to_valid_utf8(cells[kName]), std::move(one));  // of several with one name, the first
  }

  /// Both tables call what they have of an operator alike.
  void complete(const table::TableDecl& decl, store::SegmentBuilder& out) const {
    if (!out.has(decl)) return;
    store::TableBuilder& rows = out.table(decl);
    const auto column = [&](std::string_view name) -> store::ColumnBuffer& {
      const auto found = std::find_if(rows.columns().begin(), rows.columns().end(),
                                      [name](const auto& one) { return one.decl->name == name; });
      assert(found != rows.columns().end());
      return *found;
    };
    const store::ColumnBuffer& names = column("name");
    for (uint64_t row = 0; row < rows.rows(); ++row) {
      const auto found = operators_.find(std::string(rows.dictionary().at(names.code[row])));
      if (found == operators_.end()) continue;
      const Operator& one = found->second;
      for (const auto& [text, name] : {std::pair{&one.type, "op_type"},
                                       {&one.inputs.shapes, "input_shapes"},
                                       {&one.inputs.dtypes, "input_dtypes"},
                                       {&one.inputs.formats, "input_formats"},
                                       {&one.outputs.shapes, "output_shapes"},
                                       {&one.outputs.dtypes, "output_dtypes"},
                                       {&one.outputs.formats, "output_formats"}}) {
        if (!text->empty()) set_code(column(name), row, rows.dictionary().intern(*text));
      }
      if (one.block_dim) set_integer(column("block_dim"), row, *one.block_dim);
    }
  }

 private:
  void lose(int64_t line, const std::string& detail) const {
    context_.diagnostics.count(Diag::csv_bad_cell, file_, line, 1, detail);
  }

  const std::string& file_;
  IngestContext& context_;
  std::unordered_map<std::string, Operator> operators_;
};

}  // namespace

Result<void> read_ms_framework(const std::filesystem::path& file, const std::string& relative_path,
                               IngestContext& context, store::SegmentBuilder& out) {
  Framework framework(relative_path, context);
  SW_RETURN_IF_ERROR(
      read_csv_rows(kColumns, file, relative_path, context,
                    [&](auto cells, int64_t number, int64_t line) { framework.take(cells, number, line); }));
  framework.complete(table::op_name_stat::kTable, out);
  framework.complete(table::kernel::kTable, out);
  return {};
}

}  // namespace stepwise::ingest
