#include "clients/cli/terminal_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace stepwise::cli {
namespace {

constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

std::string repeat(std::string_view what, size_t times) {
  std::string out;
  out.reserve(what.size() * times);
  for (size_t i = 0; i < times; ++i) out += what;
  return out;
}

}  // namespace

std::string bar(double ratio, size_t width, bool unicode) {
  if (!std::isfinite(ratio)) ratio = 0;
  ratio = std::clamp(ratio, 0.0, 1.0);
  if (!unicode) {
    auto full = static_cast<size_t>(std::lround(ratio * static_cast<double>(width)));
    if (full == 0 && ratio > 0 && width > 0) full = 1;
    return std::string(full, '#') + std::string(width - full, ' ');
  }
  auto eighths = static_cast<size_t>(std::lround(ratio * static_cast<double>(width) * 8));
  if (eighths == 0 && ratio > 0 && width > 0) eighths = 1;
  const size_t full = eighths / 8, rest = eighths % 8;
  return repeat("█", full) + std::string(kEighths[rest]) + std::string(width - full - (rest > 0 ? 1 : 0), ' ');
}

std::vector<size_t> share_columns(std::span<const double> parts, size_t width) {
  std::vector<size_t> columns(parts.size(), 0);
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  if (!(sum > 0) || width == 0) return columns;
  std::vector<double> remainders(parts.size(), 0);
  size_t used = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const double exact = std::max(parts[i], 0.0) / sum * static_cast<double>(width);
    columns[i] = static_cast<size_t>(exact);
    remainders[i] = exact - static_cast<double>(columns[i]);
    if (columns[i] == 0 && parts[i] > 0) {
      columns[i] = 1;
      remainders[i] = 0;
    }
    used += columns[i];
  }
  for (; used < width; ++used) {
    const auto largest = static_cast<size_t>(std::ranges::max_element(remainders) - remainders.begin());
    ++columns[largest];
    remainders[largest] -= 1;
  }
  for (; used > width; --used) --*std::ranges::max_element(columns);  // the small parts' single columns were taken here
  return columns;
}

PartStyle part_style(size_t style, const Terminal& terminal) {
  static constexpr std::array<Colour, 5> kColours = {Colour::green, Colour::magenta, Colour::yellow, Colour::cyan,
                                                     Colour::grey};
  static constexpr std::array<std::string_view, 5> kFills = {"█", "▓", "▚", "▒", "░"};
  static constexpr std::array<std::string_view, 5> kLetters = {"#", "=", "~", "-", "."};
  const size_t i = style % kColours.size();
  const std::string_view block = !terminal.unicode ? kLetters[i] : terminal.colour ? "█" : kFills[i];
  return {block, kColours[i]};
}

std::string stacked_bar(std::span<const StackedPart> parts, size_t width, const Terminal& terminal) {
  std::vector<double> values;
  for (const StackedPart& part : parts) values.push_back(part.value);
  const std::vector<size_t> columns = share_columns(values, width);
  std::string out;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == 0) continue;
    const PartStyle style = part_style(parts[i].style, terminal);
    out += paint(terminal, style.colour, repeat(style.block, columns[i]));
  }
  return out;
}

}  // namespace stepwise::cli
