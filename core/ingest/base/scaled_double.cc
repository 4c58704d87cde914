#include "core/ingest/base/scaled_double.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "core/base/decimal.h"

namespace stepwise::ingest {

std::optional<int64_t> scaled_double(double value, int scale) {
  if (!std::isfinite(value)) return std::nullopt;
  std::array<char, 64> text{};
  const auto [end, ec] = std::to_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc()) return std::nullopt;
  return scaled_integer(std::string_view(text.data(), static_cast<size_t>(end - text.data())), scale);
}

}  // namespace stepwise::ingest
