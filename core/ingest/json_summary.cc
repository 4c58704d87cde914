#include "core/ingest/json_summary.h"

#include <algorithm>

#include "core/base/decimal.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/cut_json.h"
#include "core/ingest/read_file.h"

namespace stepwise::ingest {

Result<bool> JsonSummary::read(const std::filesystem::path& file, int cut_depth, const ReadOperation& read) {
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_whole_file(file, file_, context_, limits::kMaxJsonSummaryBytes, text_));
  if (text_.empty()) return false;
  make_valid_utf8(text_, file_, context_.diagnostics);
  if (const std::optional<size_t> cut = close_cut_json(text_, cut_depth)) {
    // A damaged .gz was counted already, and is the reason.
    if (end != ReadEnd::broken) context_.diagnostics.count(Diag::file_cut, file_, static_cast<int64_t>(*cut));
  }
  if (text_.empty()) return false;
  const size_t length = text_.size();
  text_.resize(length + simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::parser parser;
  const bool is_object = walk(parser, simdjson::padded_string_view(text_.data(), length, text_.size()), read);
  if (context_.cancel.is_set()) {
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", file_};
  }
  return is_object;
}

bool JsonSummary::walk(simdjson::ondemand::parser& parser, simdjson::padded_string_view view,
                       const ReadOperation& read) {
  simdjson::ondemand::document document;
  simdjson::ondemand::object root;
  simdjson::error_code error = parser.iterate(view).get(document);
  const bool is_document = !error;  // without one there is no location to ask for either
  if (!error) error = document.get_object().get(root);
  if (error == simdjson::INCORRECT_TYPE) {
    count_shape(0, "The file holds no object.");
    return false;
  }
  const bool is_object = !error;
  if (is_object) {
    error = each_field(
        root, [&](std::string_view key, Json value, int64_t place) { return read_step(key, value, place, read); });
  }
  if (error && !context_.cancel.is_set()) {
    const char* location = nullptr;
    const bool known = is_document && document.current_location().get(location) == simdjson::SUCCESS;
    context_.diagnostics.count(Diag::json_syntax, file_, known ? std::optional(offset_of(location)) : std::nullopt, 1,
                               std::string("The parser says: ") + simdjson::error_message(error));
  }
  return is_object;
}

simdjson::error_code JsonSummary::read_step(std::string_view key, Json value, int64_t place,
                                            const ReadOperation& read) {
  constexpr std::string_view kStep = "step";
  OperationKey at;
  at.step = to_integer(key.substr(std::min(kStep.size(), key.size())));
  if (!key.starts_with(kStep) || (!at.step && key.size() > kStep.size())) {
    count_shape(place, "First: the key \"" + shorten(key, 40) + "\" is no step.");
    return simdjson::SUCCESS;
  }
  return each_field(value, place, "a step", [&](std::string_view kind, Json operations, int64_t kind_place) {
    at.kind = kind;
    return each_field(operations, kind_place, "a kind of operation",
                      [&](std::string_view name, Json operation, int64_t name_place) {
                        if (context_.cancel.is_set()) return simdjson::UNEXPECTED_ERROR;
                        const size_t at_sign = name.rfind('@');
                        at.name = name.substr(0, at_sign);
                        at.group.reset();
                        if (at_sign < name.size() - 1) at.group = name.substr(at_sign + 1);
                        at.place = name_place;
                        return read(at, operation);
                      });
  });
}

simdjson::error_code JsonSummary::read_scaled(Json& cell, int scale, std::optional<int64_t>& out) {
  out = scaled_integer(cell.raw_json_token(), scale);
  return simdjson::SUCCESS;
}

simdjson::error_code JsonSummary::read_double(Json& cell, std::optional<double>& out) {
  const std::string_view token = cell.raw_json_token();
  out = to_double(token);
  if (!out && trim(token) != "null") count_shape(offset_of(token.data()), "First: a bandwidth is no number.");
  return simdjson::SUCCESS;
}

void JsonSummary::count_shape(int64_t place, const std::string& detail) const {
  context_.diagnostics.count(Diag::json_shape, file_, place, 1, detail);
}

}  // namespace stepwise::ingest
