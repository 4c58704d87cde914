// Values out of the answers of analyses, in which anything may be missing. Internal to this folder.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace stepwise::advice {

/// What lies below the keys, by name; null: something on the way is not there.
inline Json at(const Json& json, std::initializer_list<const char*> keys) {
  const Json* here = &json;
  for (const char* key : keys) {
    if (!here->is_object()) return {};
    const auto it = here->find(key);
    if (it == here->end()) return {};
    here = &*it;
  }
  return *here;
}

inline std::optional<double> number(const Json& json) {
  return json.is_number() ? std::optional<double>(json.get<double>()) : std::nullopt;
}

inline std::string text(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

inline Json as_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

inline Json quotient(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && *b > 0 ? Json(*a / *b) : Json();
}

inline bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return text.find(one) != text.npos; });
}

inline const Json& list(const Json& answer, const char* key) {
  static const Json kNone = Json::array();
  if (!answer.is_object()) return kNone;
  const auto it = answer.find(key);
  return it != answer.end() && it->is_array() ? *it : kNone;
}

}  // namespace stepwise::advice
