#include "core/ingest/base/json_summary.h"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/base/cut_json.h"
#include "core/ingest/base/rank_set.h"
#include "core/ingest/base/read_file.h"

namespace stepwise::ingest {
namespace {

namespace json = simdjson::ondemand;

json::value& value_of(void* node) { return *static_cast<json::value*>(node); }

}  // namespace

bool read_group_key(std::string_view text, OperationKey& key) {
  constexpr std::string_view kPairs = "p2p";
  key.ranks = rank_set_of(text);
  key.kind = text == kPairs ? kPairs : "collective";
  return text == kPairs || key.ranks;
}

struct JsonSummary::Document {
  json::parser parser;
  json::document root;
  simdjson::error_code error = simdjson::SUCCESS;  // after which nothing more can be read

  /// A value of another type than expected leaves the document readable.
  Walk judge(simdjson::error_code found) {
    if (found == simdjson::SUCCESS) return Walk::done;
    if (found == simdjson::INCORRECT_TYPE) return Walk::odd;
    error = found;
    return Walk::broken;
  }

  Walk each_element(json::array& array, const OnElement& visit) {
    for (auto element : array) {
      json::value one;
      if (const auto found = std::move(element).get(one)) return judge(found);
      if (visit(JsonNode(&one)) == Walk::broken) return Walk::broken;
    }
    return Walk::done;
  }

  Walk each_field(json::object& object, const char* text, const OnField& visit) {
    for (auto maybe_field : object) {
      json::field field;
      if (const auto found = std::move(maybe_field).get(field)) return judge(found);
      const int64_t place = field.key().raw() - text - 1;
      std::string_view key;
      if (const auto found = field.unescaped_key().get(key)) return judge(found);
      const std::string owned(key);  // further unescaping may reuse the parser's buffer
      if (visit(owned, JsonNode(&field.value()), place) == Walk::broken) return Walk::broken;
    }
    return Walk::done;
  }
};

std::optional<int64_t> JsonNode::scaled(int scale) const {
  return scaled_integer(value_of(value_).raw_json_token(), scale);
}

std::optional<int64_t> JsonNode::bare_scaled(int scale) const {
  std::string_view token = trim(value_of(value_).raw_json_token());
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') token = token.substr(1, token.size() - 2);
  return scaled_integer(token, scale);
}

std::optional<std::string> JsonNode::text() const {
  std::string_view text;
  if (value_of(value_).get_string().get(text) != simdjson::SUCCESS || text.empty()) return std::nullopt;
  return std::string(text);
}

JsonSummary::JsonSummary(const std::string& relative_path, IngestContext& context)
    : file_(relative_path), context_(context), document_(std::make_unique<Document>()) {}
JsonSummary::~JsonSummary() = default;

Result<bool> JsonSummary::read(const std::filesystem::path& file, int cut_depth, const OnOperation& visit,
                               Nesting nesting) {
  return read_fields(file, cut_depth, [&](std::string_view key, JsonNode value, int64_t place) {
    return nesting == Nesting::step_first ? read_step(key, value, place, visit) : read_group(key, value, place, visit);
  });
}

Result<bool> JsonSummary::read_fields(const std::filesystem::path& file, int cut_depth, const OnField& visit) {
  return read_root<json::object>(file, cut_depth, "The file holds no object.",
                                 [&](json::object& root) { document_->each_field(root, text_.data(), visit); });
}

Result<bool> JsonSummary::read_elements(const std::filesystem::path& file, int cut_depth, const OnElement& visit) {
  return read_root<json::array>(file, cut_depth, "The file holds no list.",
                                [&](json::array& root) { document_->each_element(root, visit); });
}

template <class Root, class Visit>
Result<bool> JsonSummary::read_root(const std::filesystem::path& file, int cut_depth, const char* otherwise,
                                    const Visit& visit) {
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
  const bool is_root = walk<Root>(length, otherwise, visit);
  if (context_.cancel.is_set()) {
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", file_};
  }
  return is_root;
}

template <class Root, class Visit>
bool JsonSummary::walk(size_t length, const char* otherwise, const Visit& visit) {
  Root root;
  const simdjson::padded_string_view view(text_.data(), length, text_.size());
  simdjson::error_code error = document_->parser.iterate(view).get(document_->root);
  const bool is_document = !error;  // without one there is no location to ask for either
  if (!error) error = document_->root.get<Root>().get(root);
  if (error == simdjson::INCORRECT_TYPE) {
    count_shape(0, otherwise);
    return false;
  }
  const bool is_root = !error;
  if (is_root) {
    visit(root);
    error = document_->error;
  }
  if (error && !context_.cancel.is_set()) {
    const char* location = nullptr;
    const bool known = is_document && document_->root.current_location().get(location) == simdjson::SUCCESS;
    context_.diagnostics.count(Diag::json_syntax, file_,
                               known ? std::optional<int64_t>(location - text_.data()) : std::nullopt, 1,
                               std::string("The parser says: ") + simdjson::error_message(error));
  }
  return is_root;
}

bool JsonSummary::read_step_key(std::string_view key, int64_t place, OperationKey& at) const {
  constexpr std::string_view kStep = "step";
  at.step = to_integer(key.substr(std::min(kStep.size(), key.size())));
  if (key.starts_with(kStep) && (at.step || key.size() == kStep.size())) return true;
  count_shape(place, "First: the key \"" + shorten(key, 40) + "\" is no step.");
  return false;
}

Walk JsonSummary::read_step(std::string_view key, JsonNode value, int64_t place, const OnOperation& visit) {
  OperationKey at;
  if (!read_step_key(key, place, at)) return Walk::odd;
  return each_field(value, place, "a step", [&](std::string_view kind, JsonNode operations, int64_t kind_place) {
    at.kind = kind;
    return read_operations(operations, kind_place, "a kind of operation", at, visit);
  });
}

Walk JsonSummary::read_group(std::string_view key, JsonNode value, int64_t place, const OnOperation& visit) {
  OperationKey at;
  if (!read_group_key(key, at)) {
    count_shape(place, "First: the key \"" + shorten(key, 40) + "\" is no group of ranks.");
    return Walk::odd;
  }
  return each_field(value, place, "a group", [&](std::string_view step, JsonNode operations, int64_t step_place) {
    if (!read_step_key(step, step_place, at)) return Walk::odd;
    return read_operations(operations, step_place, "a step", at, visit);
  });
}

Walk JsonSummary::read_operations(JsonNode value, int64_t place, const char* what, OperationKey& at,
                                  const OnOperation& visit) {
  return each_field(value, place, what, [&](std::string_view name, JsonNode operation, int64_t name_place) {
    if (context_.cancel.is_set()) return Walk::broken;
    const size_t at_sign = name.rfind('@');
    at.name = name.substr(0, at_sign);
    at.group.reset();
    if (at_sign != std::string_view::npos && at_sign + 1 < name.size()) at.group = name.substr(at_sign + 1);
    at.place = name_place;
    return visit(at, operation);
  });
}

Walk JsonSummary::each_field(JsonNode value, int64_t place, const char* what, const OnField& visit) {
  json::object object;
  const Walk walk = document_->judge(value_of(value.value_).get_object().get(object));
  if (walk == Walk::odd) count_shape(place, std::string("First: ") + what + " is no object.");
  return walk == Walk::done ? document_->each_field(object, text_.data(), visit) : walk;
}

Walk JsonSummary::each_element(JsonNode value, int64_t place, const char* what, const OnElement& visit) {
  json::array array;
  const Walk walk = document_->judge(value_of(value.value_).get_array().get(array));
  if (walk == Walk::odd) count_shape(place, std::string("First: ") + what + ".");
  return walk == Walk::done ? document_->each_element(array, visit) : walk;
}

int64_t JsonSummary::place_of(JsonNode value) const {
  return value_of(value.value_).raw_json_token().data() - text_.data();
}

std::optional<double> JsonSummary::real(JsonNode value) {
  const std::string_view token = value_of(value.value_).raw_json_token();
  const std::optional<double> number = to_double(token);
  if (!number && trim(token) != "null") count_shape(token.data() - text_.data(), "First: a bandwidth is no number.");
  return number;
}

void JsonSummary::count_shape(int64_t place, const std::string& detail) const {
  context_.diagnostics.count(Diag::json_shape, file_, place, 1, detail);
}

}  // namespace stepwise::ingest
