#include "short_text.h"

#include <algorithm>
#include <utility>

#include "stepwise/short_names.hpp"

namespace stepwise::overview {

std::optional<std::string> short_cell(std::optional<std::string_view> cell) {
  constexpr size_t kMaxBytes = 64;
  if (!cell) return std::nullopt;
  if (cell->size() <= kMaxBytes) return std::string(*cell);
  const auto tensors = std::count(cell->begin(), cell->end(), ';') + 1;
  const std::string rest = "... (" + std::to_string(tensors) + " tensors)";
  const size_t end = cell->rfind(';', kMaxBytes - rest.size() - 1);
  return std::string(cell->substr(0, end == std::string_view::npos ? 0 : end + 1)) + rest;
}

std::optional<std::string> short_name(std::optional<std::string_view> name) {
  return name ? std::optional(stepwise::short_name(*name, kNameColumns)) : std::nullopt;
}

std::vector<std::optional<std::string>> short_names_of(const std::vector<std::optional<std::string_view>>& names) {
  std::vector<std::string_view> whole;
  for (const auto& name : names) whole.push_back(name.value_or(""));
  std::vector<std::optional<std::string>> out;
  for (std::string& text : short_names(whole, kNameColumns)) out.emplace_back(std::move(text));
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i]) out[i] = std::nullopt;
  }
  return out;
}

}  // namespace stepwise::overview
