// The one file of the SDK that knows a JSON library.
#include "stepwise/value.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace stepwise::sdk {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 64;

const Json* node_of(const void* node) { return static_cast<const Json*>(node); }

}  // namespace

std::optional<Value> Value::parse(std::string_view text) {
  bool too_deep = false;
  // Returning false drops the value; a deep one must not come into being, since writing and destroying it recurse.
  const auto guard = [&too_deep](int depth, Json::parse_event_t event, Json&) {
    const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= kMaxDepth) too_deep = true;
    return !too_deep;
  };
  auto json = std::make_shared<Json>(Json::parse(text, guard, /*allow_exceptions=*/false));
  if (too_deep || json->is_discarded()) return std::nullopt;
  const void* node = json.get();
  return Value(std::move(json), node);
}

bool Value::is_null() const { return node_ != nullptr && node_of(node_)->is_null(); }
bool Value::is_object() const { return node_ != nullptr && node_of(node_)->is_object(); }
bool Value::is_array() const { return node_ != nullptr && node_of(node_)->is_array(); }

Value Value::operator[](std::string_view key) const {
  if (!is_object()) return {};
  const Json& object = *node_of(node_);
  const auto it = object.find(std::string(key));
  return it == object.end() ? Value() : Value(document_, &*it);
}

Value Value::at(size_t index) const {
  if (!is_array() || index >= node_of(node_)->size()) return {};
  return Value(document_, &(*node_of(node_))[index]);
}

size_t Value::size() const { return is_object() || is_array() ? node_of(node_)->size() : 0; }

std::vector<std::string> Value::keys() const {
  std::vector<std::string> keys;
  if (!is_object()) return keys;
  for (const auto& item : node_of(node_)->items()) keys.push_back(item.key());
  return keys;
}

std::optional<int64_t> Value::integer() const {
  if (node_ == nullptr) return std::nullopt;
  const Json& json = *node_of(node_);
  if (json.is_number_unsigned()) {
    const auto value = json.get<uint64_t>();
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(value);
  }
  if (json.is_number_integer()) return json.get<int64_t>();
  if (!json.is_number_float()) return std::nullopt;
  const double value = json.get<double>();
  constexpr double kExact = 9007199254740992.0;  // 2^53: past it a double no longer holds every integer
  if (std::nearbyint(value) != value || std::abs(value) > kExact) return std::nullopt;
  return static_cast<int64_t>(value);
}

std::optional<double> Value::number() const {
  if (node_ == nullptr || !node_of(node_)->is_number()) return std::nullopt;
  return node_of(node_)->get<double>();
}

std::optional<bool> Value::boolean() const {
  if (node_ == nullptr || !node_of(node_)->is_boolean()) return std::nullopt;
  return node_of(node_)->get<bool>();
}

std::optional<std::string> Value::text() const {
  if (node_ == nullptr || !node_of(node_)->is_string()) return std::nullopt;
  return node_of(node_)->get<std::string>();
}

std::string Value::to_json() const {
  if (node_ == nullptr) return "null";
  return node_of(node_)->dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stepwise::sdk
