#include "core/advice/draft/figure_checker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/advice/draft/figure_claims.h"
#include "core/advice/draft/own_rows.h"
#include "core/advice/draft/printed_members.h"
#include "core/advice/draft/quantities.h"

namespace stepwise::advice {
namespace {

constexpr double kSame = 1e-3;  // relative: figures of two tools that are one

/// The nearest to what is claimed; nullptr: the list is empty.
const Quantity* nearest_of(const std::vector<const Quantity*>& list, double value) {
  const auto off = [&](const Quantity* one) { return std::abs(one->value - value); };
  const auto it =
      std::min_element(list.begin(), list.end(), [&](const Quantity* a, const Quantity* b) { return off(a) < off(b); });
  return it == list.end() ? nullptr : *it;
}

/// Where a sentence does not say how its figure is taken: what it says of a subject first. Shares have no such order.
constexpr auto kUnsaid = std::to_array<Taken>({Taken::per_step, Taken::in_total, Taken::per_call, Taken::bandwidth});
constexpr auto kUnsaidCount = std::to_array<Taken>({Taken::in_total, Taken::per_step});

std::optional<Taken> taken_of_unsaid(const std::vector<const Quantity*>& list, FigureUnit unit) {
  const auto has = [&](Taken taken) {
    return std::any_of(list.begin(), list.end(), [&](const Quantity* one) { return one->taken == taken; });
  };
  const auto order = unit == FigureUnit::count ? std::span<const Taken>(kUnsaidCount) : std::span<const Taken>(kUnsaid);
  for (const Taken one : order) {
    if (has(one)) return one;
  }
  std::optional<Taken> only;
  for (const Quantity* one : list) {
    if (one->taken == Taken::otherwise) continue;
    if (only && *only != one->taken) return std::nullopt;
    only = one->taken;
  }
  return only;
}

CheckedFigure check_one(const QuotedFigure& figure, const FigureClaim& claim, const Quantities& quantities) {
  CheckedFigure checked{figure, std::nullopt, std::nullopt, "", ""};
  if (claim.subject.empty()) return checked;
  const auto fits = [&](double value) { return is_as_written(figure, value); };
  std::vector<const Quantity*> all, meant;
  for (const Quantity& one : quantities.of(claim.subject)) {
    if (one.unit == figure.unit) all.push_back(&one);
  }
  const std::optional<Taken> taken = claim.taken ? claim.taken : taken_of_unsaid(all, figure.unit);
  for (const Quantity* one : all) {
    const bool is_meant = taken ? one->taken == *taken : one->taken != Taken::otherwise;
    if (is_meant) meant.push_back(one);
  }
  const Quantity* held = nearest_of(meant, figure.value);
  if (held == nullptr) return checked;
  // Several values that the words tell no further apart: only that none of them fits can be told. Two tools may
  // measure one thing in two ways.
  const auto tool_of = [](const Quantity* one) { return std::string_view(one->where).substr(0, one->where.find('#')); };
  const bool is_one = std::all_of(meant.begin(), meant.end(), [&](const Quantity* one) {
    const bool is_same = std::abs(one->value - held->value) <= kSame * std::abs(held->value);
    return one->taken == held->taken && (is_same || tool_of(one) != tool_of(held));
  });
  const bool is_right = fits(held->value);
  if (is_right && !is_one) return checked;
  if (!is_right && !claim.taken) {
    // It may be another figure of the same, or a step's part of a sum.
    const double steps = figure.unit == FigureUnit::share ? 1 : quantities.steps().value_or(1);
    const bool is_in_doubt = std::any_of(all.begin(), all.end(), [&](const Quantity* one) {
      return fits(one->value) || fits(one->value / steps) || fits(one->value * steps);
    });
    if (is_in_doubt) return checked;
  }
  if (!is_right && claim.is_about) return checked;
  checked.ok = is_right;
  checked.measured = held->value;
  checked.where = held->where;
  checked.what = claim.subject;
  if (!claim.subject.starts_with("metric ")) checked.what += ", " + std::string(to_string(held->taken));
  return checked;
}

}  // namespace

FigureChecker::FigureChecker(const Answers& answers)
    : quantities_(std::make_unique<const Quantities>(answers)),
      members_(std::make_unique<const PrintedMembers>(answers)),
      rows_(std::make_unique<const OwnRows>(answers)) {}
FigureChecker::~FigureChecker() = default;

std::vector<QuotedFigure> FigureChecker::figures_in(std::string_view text) const {
  return find_figures(text, [&](size_t at) {
    const std::string_view key = key_before(text, at);
    if (key == "bound_us") return std::optional(FigureUnit::time_us);
    if (key == "share_ratio") return std::optional(FigureUnit::share);
    return key.empty() ? std::nullopt : members_->unit_of(key);
  });
}

std::vector<CheckedFigure> FigureChecker::check(std::string_view text, const RowNumbers& above) const {
  std::vector<CheckedFigure> checked;
  const auto all = figures_in(text);
  const auto claims = figure_claims(text, all, *quantities_);
  const auto held = rows_->hold(text, all, above);
  const auto gains = find_claimed_gains(text);
  auto gain = gains.begin();
  for (size_t i = 0; i < all.size(); ++i) {
    const QuotedFigure& one = all[i];
    if (held[i]) {
      checked.push_back({one, held[i]->measured, held[i]->ok, held[i]->where, held[i]->what});
      continue;
    }
    while (gain != gains.end() && gain->offset + gain->length <= one.offset) ++gain;
    const bool is_gain = gain != gains.end() && gain->offset < one.offset + one.length;
    if (is_gain) continue;
    if (const auto member = members_->hold(text, one)) {
      checked.push_back({one, member->measured, member->ok, member->where, member->what});
    } else if (one.unit != FigureUnit::count || one.text.find_first_not_of("0123456789.,") != one.text.npos) {
      // A bare count is a figure only behind the key that it has there: else it may be any setting of a program.
      checked.push_back(check_one(one, claims[i], *quantities_));
    }
  }
  return checked;
}

std::vector<ClaimedGain> FigureChecker::unmeasured_gains(std::string_view text, const RowNumbers& above) const {
  auto gains = find_claimed_gains(text);
  if (gains.empty()) return gains;
  const auto all = figures_in(text);
  const auto held = rows_->hold(text, all, above);
  std::erase_if(gains, [&](const ClaimedGain& gain) {
    // A range or a change has two figures: both must be the profile's.
    size_t own = 0, others = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      const bool is_of_gain = all[i].offset < gain.offset + gain.length && gain.offset < all[i].offset + all[i].length;
      if (is_of_gain) ++(held[i] && held[i]->ok ? own : others);
    }
    return own > 0 && others == 0;
  });
  return gains;
}

RowNumbers FigureChecker::rows_named_last(std::string_view text) const { return rows_->named_last(text); }

std::vector<CheckedFigure> check_figures(std::string_view text, const Answers& answers) {
  return FigureChecker(answers).check(text);
}

}  // namespace stepwise::advice
