// What the profiler said about the run, flattened into `meta`: profiler_info*.json and profiler_metadata.json of
// torch_npu, info.json and sample.json of msprof.
#include <algorithm>
#include <string>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/cut_json.h"
#include "core/ingest/read_file.h"
#include "core/ingest/readers.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace meta = table::meta;

class Flattener {
 public:
  Flattener(const std::string& file, store::TableBuilder& rows) : file_(file), rows_(rows) {}

  /// Objects, and lists of them, become paths of keys joined by '.': DeviceInfo.0.ai_core_num. Another list is one
  /// value, as JSON text: global_ranks is "[0,2]".
  void run(const std::string& path, const Json& value) {
    const bool is_list_of_objects =
        value.is_array() && !value.empty() &&
        std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_object(); });
    if ((value.is_object() && !value.empty()) || is_list_of_objects) {
      for (const auto& [key, inner] : value.items()) run(path.empty() ? key : path + "." + key, inner);
      return;
    }
    rows_.append(meta::key, path);
    if (value.is_null()) {
      rows_.null(meta::value);
    } else if (value.is_string()) {
      rows_.append(meta::value, value.get_ref<const std::string&>());
    } else {
      rows_.append(meta::value, dump_json(value));
    }
    rows_.append(meta::file, file_);
    rows_.end_row();
  }

 private:
  const std::string& file_;
  store::TableBuilder& rows_;
};

}  // namespace

Result<void> read_metadata(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                           store::SegmentBuilder& out) {
  std::string text;
  SW_ASSIGN_OR_RETURN(const ReadEnd end,
                      read_whole_file(file, relative_path, context, limits::kMaxMetadataBytes, text));
  if (text.empty()) return {};
  make_valid_utf8(text, relative_path, context.diagnostics);
  const Result<Json> parsed = parse_json(text);
  if (!parsed.ok()) {
    // A damaged .gz was counted already, and is the reason.
    if (end != ReadEnd::broken) {
      const std::string& where = parsed.error().where;
      const auto place = where.starts_with('@') ? to_integer(where.substr(1)) : std::nullopt;
      context.diagnostics.count(Diag::json_syntax, relative_path, place, 1, parsed.error().message);
    }
    return {};
  }
  if (!parsed.value().is_object()) {
    context.diagnostics.count(Diag::json_shape, relative_path, 0, 1, "The file holds no object.");
    return {};
  }
  Flattener(relative_path, out.table(meta::kTable)).run("", parsed.value());
  return {};
}

}  // namespace stepwise::ingest
