#include "tests/transcripts/match.h"

#include <optional>

#include "core/base/text.h"

namespace stepwise::transcripts {
namespace {

std::string wrong(const std::string& place, const std::string& wanted, const Json& value) {
  return (place.empty() ? "/" : place) + ": wanted " + wanted + ", got " + shorten(dump_json(value), 300);
}

std::string objects(const Json& pattern, const Json& value, const std::string& place) {
  if (!value.is_object()) return wrong(place, "an object", value);
  for (const auto& [key, wanted] : pattern.items()) {
    const auto found = value.find(key);
    const std::string inner = place + "/" + key;
    if (wanted == "<absent>") {
      if (found != value.end()) return wrong(inner, "nothing", *found);
    } else if (found == value.end()) {
      return wrong(inner, "to be there", value);
    } else if (auto bad = mismatch(wanted, *found, inner); !bad.empty()) {
      return bad;
    }
  }
  return "";
}

std::string arrays(const Json& pattern, const Json& value, const std::string& place) {
  if (!value.is_array() || value.size() != pattern.size()) {
    return wrong(place, "an array of " + std::to_string(pattern.size()), value);
  }
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (auto bad = mismatch(pattern[i], value[i], place + "/" + std::to_string(i)); !bad.empty()) return bad;
  }
  return "";
}

std::optional<bool> fits_mark(const std::string& pattern, const Json& value) {
  if (pattern == "<any>") return true;
  if (pattern == "<string>") return value.is_string();
  if (pattern == "<number>") return value.is_number();
  if (pattern == "<object>") return value.is_object();
  if (pattern.starts_with("<has ") && pattern.ends_with('>')) {
    const std::string text = pattern.substr(5, pattern.size() - 6);
    return value.is_string() && value.get<std::string>().find(text) != std::string::npos;
  }
  return std::nullopt;
}

}  // namespace

std::string mismatch(const Json& pattern, const Json& value, const std::string& place) {
  if (pattern.is_object()) return objects(pattern, value, place);
  if (pattern.is_array()) return arrays(pattern, value, place);
  bool fits = pattern == value;
  if (pattern.is_string()) fits = fits_mark(pattern.get<std::string>(), value).value_or(fits);
  return fits ? "" : wrong(place, dump_json(pattern), value);
}

}  // namespace stepwise::transcripts
