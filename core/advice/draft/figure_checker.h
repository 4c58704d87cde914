// Figures that a draft quotes, held against those that the profile yields.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/advice/draft/claimed_gains.h"
#include "core/advice/draft/figures.h"
#include "core/advice/rules/metric_set.h"

namespace stepwise::advice {

class OwnRows;
class PrintedMembers;
class Quantities;

/// Each figure against the measurements that its sentence names by subject and by how it is taken (quantities.h,
/// figure_claims.h), but for those of a claimed gain. ok: the one that is named is it, within half a step of the last
/// digit written, or 0.5 % where that is more. Not ok: it is not, and neither is another of the same subject that could
/// be meant. Not known: else; a figure is never taken for right because some other number of the profile is equal.
/// What is quoted out of the rows of advise is held against those first (own_rows.h), what stands behind a key of an
/// answer against that (printed_members.h). Linear in draft and answers.
class FigureChecker {
 public:
  explicit FigureChecker(const Answers& answers);
  ~FigureChecker();
  FigureChecker(const FigureChecker&) = delete;
  FigureChecker& operator=(const FigureChecker&) = delete;
  /// `above`: the rows of advise that what stands before the text names last.
  std::vector<CheckedFigure> check(std::string_view text, const RowNumbers& above = {}) const;
  /// The gains that the text claims, but for those that are the bound of the row of advise that it names.
  std::vector<ClaimedGain> unmeasured_gains(std::string_view text, const RowNumbers& above = {}) const;
  RowNumbers rows_named_last(std::string_view text) const;

 private:
  std::vector<QuotedFigure> figures_in(std::string_view text) const;

  std::unique_ptr<const Quantities> quantities_;
  std::unique_ptr<const PrintedMembers> members_;
  std::unique_ptr<const OwnRows> rows_;
};

/// One text, as FigureChecker.
std::vector<CheckedFigure> check_figures(std::string_view text, const Answers& answers);

}  // namespace stepwise::advice
