// Figures that a draft quotes, beside those that the profile yields.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/rules/metric_set.h"
#include "core/base/json.h"

namespace stepwise::advice {

class Quantities;

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
std::vector<QuotedFigure> find_figures(std::string_view text);

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

/// Each figure against the measurements that its sentence names by subject and by how it is taken (quantities.h,
/// figure_claims.h), but for those of a claimed gain. ok: the one that is named is it, within half a step of the last
/// digit written, or 0.5 % where that is more. Not ok: it is not, and neither is another of the same subject that could
/// be meant. Not known: else; a figure is never taken for right because some other number of the profile is equal.
/// Linear in draft and answers.
class FigureChecker {
 public:
  explicit FigureChecker(const Answers& answers);
  ~FigureChecker();
  FigureChecker(const FigureChecker&) = delete;
  FigureChecker& operator=(const FigureChecker&) = delete;
  std::vector<CheckedFigure> check(std::string_view text) const;

 private:
  std::unique_ptr<const Quantities> quantities_;
};

/// One text, as FigureChecker.
std::vector<CheckedFigure> check_figures(std::string_view text, const Answers& answers);

}  // namespace stepwise::advice
