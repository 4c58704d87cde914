#include "short_text.h"

#include <algorithm>

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
  constexpr size_t kMaxBytes = 96;
  if (!name) return std::nullopt;
  if (name->size() <= kMaxBytes) return std::string(*name);
  size_t end = kMaxBytes;
  while (end > 0 && (static_cast<unsigned char>((*name)[end]) & 0xC0) == 0x80) --end;
  return std::string(name->substr(0, end)) + "...";
}

}  // namespace stepwise::overview
