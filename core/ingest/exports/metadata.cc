// What the profiler said about the run, flattened into `meta`: profiler_info*.json and profiler_metadata.json of
// torch_npu, info.json and sample.json of msprof.
#include "core/ingest/exports/metadata.h"

#include <algorithm>
#include <string>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/base/cut_json.h"
#include "core/ingest/base/read_file.h"
#include "core/ingest/base/readers.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace meta = table::meta;

}  // namespace

void flatten_metadata(const std::string& path, const Json& value, const std::string& file, store::TableBuilder& rows) {
  const bool is_list_of_objects =
      value.is_array() && !value.empty() &&
      std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_object(); });
  if ((value.is_object() && !value.empty()) || is_list_of_objects) {
    for (const auto& [key, inner] : value.items()) {
      flatten_metadata(path.empty() ? key : path + "." + key, inner, file, rows);
    }
    return;
  }
  rows.append(meta::key, path);
  if (value.is_null()) {
    rows.null(meta::value);
  } else if (value.is_string()) {
    rows.append(meta::value, value.get_ref<const std::string&>());
  } else {
    rows.append(meta::value, dump_json(value));
  }
  rows.append(meta::file, file);
  rows.end_row();
}

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
  flatten_metadata("", parsed.value(), relative_path, out.table(meta::kTable));
  return {};
}

}  // namespace stepwise::ingest
