// Figures that a draft quotes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace stepwise::advice {

/// time in us, share 0 to 1, bytes, rate in bytes a second, count as written.
enum class FigureUnit : uint8_t { time_us, share, bytes, bytes_per_s, count };

struct QuotedFigure {
  std::string text;               // as written: "12.3 ms", 占比 41%
  size_t offset = 0, length = 0;  // of the number and its unit, bytes of the draft
  double value = 0;               // in the unit's base
  double last_digit = 0;          // what one step of the last digit written is worth, in the same
  FigureUnit unit = FigureUnit::count;
};

/// Numbers with a unit: 12.3 ms, 41 %, 3.2 GB/s, 1,234 us, 12.3毫秒, 5次; and 0.41 beside "ratio", 占比. Others stand
/// for nothing that can be held against a profile: versions, steps, values of parameters, code. Linear.
/// With `unit_of_number`: numbers without a unit too, where it gives that of the number at a place.
std::vector<QuotedFigure> find_figures(
    std::string_view text, const std::function<std::optional<FigureUnit>(size_t)>& unit_of_number = nullptr);

/// Whether a value is written so: within half a step of the last digit, or 0.5 % where that is more.
bool is_as_written(const QuotedFigure& figure, double value);

/// Of what advise gives for a profile, by their place in it.
using RowNumbers = std::vector<size_t>;

struct CheckedFigure {
  QuotedFigure figure;
  std::optional<double> measured;  // in the figure's base; nullopt: it was held against nothing
  std::optional<bool> ok;          // nullopt: not known
  std::string where;               // tool and JSON pointer of what it was held against; empty: nothing
  std::string what;                // of what that is, and how it is taken: "op MatMulV2, in total"
  Json to_json() const;            // claimed and measured in the unit as written
  /// Needs `measured`; "12.3 ms" with its number and decimals as the figure's.
  std::string measured_as_written() const;
};

}  // namespace stepwise::advice
