#include "core/advice/rules/fields_in_text.h"

#include <algorithm>
#include <cctype>

namespace stepwise::advice {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_.:%-").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

}  // namespace

std::string filled(std::string_view text, const std::function<std::string(std::string_view)>& value_of) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == text.npos) break;
    const size_t close = text.find('}', open);
    const std::string_view name = close == text.npos ? "" : text.substr(open + 1, close - open - 1);
    if (is_name(name)) {
      out += value_of(name);
      text.remove_prefix(close + 1);
    } else {
      out += '{';
      text.remove_prefix(open + 1);
    }
  }
  return out;
}

std::vector<std::string> fields_in(std::string_view text) {
  std::vector<std::string> names;
  filled(text, [&](std::string_view name) {
    names.emplace_back(name);
    return std::string();
  });
  return names;
}

}  // namespace stepwise::advice
