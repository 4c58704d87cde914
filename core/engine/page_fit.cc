#include "core/engine/page_fit.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/base/text.h"

namespace stepwise::engine {
namespace {

/// Texts first, since one name of megabytes is no reason to leave entries out; then both.
struct Step {
  size_t texts, lists;  // code points, entries
};
constexpr size_t kAll = SIZE_MAX;
// Rows are paged, not cut: the cursor says which come next.
constexpr const char* kRows = "rows";
constexpr Step kSteps[] = {{2000, kAll}, {400, kAll}, {400, 100}, {200, 30}, {100, 10}, {48, 3}, {24, 1}};

void cut_text(std::string& text, size_t most) {
  if (text.size() <= most) return;
  std::string shorter = shorten(text, most);
  if (shorter.size() == text.size()) return;
  text = std::move(shorter) + " (" + std::to_string(text.size()) + " bytes)";
}

void cut(Json& value, const Step& step) {
  if (value.is_string()) return cut_text(value.get_ref<std::string&>(), step.texts);
  if (value.is_array() && value.size() > step.lists) {
    Json::array_t& list = value.get_ref<Json::array_t&>();
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(step.lists), list.end());
  }
  if (value.is_structured()) {
    for (Json& inner : value) cut(inner, step);
  }
}

size_t text_chars(const std::string& text) {
  size_t chars = 2;
  for (const char c : text) chars += c == '"' || c == '\\' ? 2 : static_cast<unsigned char>(c) < 0x20 ? 6 : 1;
  return chars;
}

size_t number_chars(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return static_cast<size_t>(end - digits) + 2;  // 5 is written as 5.0
}

}  // namespace

size_t json_chars(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object: {
      size_t chars = 2;
      for (const auto& [key, inner] : value.get_ref<const Json::object_t&>()) {
        chars += text_chars(key) + 1 + json_chars(inner) + 1;
      }
      return chars;
    }
    case Json::value_t::array: {
      size_t chars = 2;
      for (const Json& inner : value) chars += json_chars(inner) + 1;
      return chars;
    }
    case Json::value_t::string:
      return text_chars(value.get_ref<const std::string&>());
    case Json::value_t::number_float:
      return number_chars(value.get<double>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return std::to_string(value.get<int64_t>()).size();
    default:
      return 5;  // null, true, false
  }
}

size_t rows_that_fit(std::span<const Json> rows, size_t max_chars) {
  size_t chars = 0, count = 0;
  for (const Json& row : rows) {
    chars += json_chars(row) + 1;
    if (count > 0 && chars > max_chars) break;
    ++count;
  }
  return count;
}

bool cut_to_fit(Json& object, size_t max_chars) {
  if (json_chars(object) <= max_chars) return false;
  const Json whole = object;
  for (const Step& step : kSteps) {
    object = whole;
    for (auto& [key, value] : object.items()) {
      if (key != kRows) cut(value, step);
    }
    if (const auto rows = object.find(kRows); rows != object.end()) {
      for (Json& row : *rows) cut(row, step);
    }
    object["cut"] = {{"texts", step.texts}};
    if (step.lists != kAll) object["cut"]["lists"] = step.lists;
    if (json_chars(object) <= max_chars) break;
  }
  return true;
}

}  // namespace stepwise::engine
