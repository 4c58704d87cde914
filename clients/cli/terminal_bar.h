// Bars of a given width: eighths of a block where the terminal has them, '#' where not. [any thread]
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/terminal.h"

namespace stepwise::cli {

/// One value of 0 to 1; always exactly `width` columns, filled up with blanks. What is not 0 is seen.
std::string bar(double ratio, size_t width, bool unicode);

/// How many columns each part gets: they add up to `width`, each part that is not 0 gets at least one as long as there
/// are enough, and rounding goes to the parts with the largest remainders.
std::vector<size_t> share_columns(std::span<const double> parts, size_t width);

/// How a part of a stacked bar looks. Told apart by colour and, for those who have none, by the fill. Styles go from
/// solid to faint; more parts than styles begin again.
struct PartStyle {
  std::string_view block;  // one column
  Colour colour;
};
PartStyle part_style(size_t style, const Terminal& terminal);

struct StackedPart {
  double value = 0;
  size_t style = 0;
};
/// The parts side by side in one line, painted.
std::string stacked_bar(std::span<const StackedPart> parts, size_t width, const Terminal& terminal);

}  // namespace stepwise::cli
