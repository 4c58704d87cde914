#include "core/advice/draft/figures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr double kRelativeTolerance = 0.005;
constexpr size_t kMaxNumberBytes = 32;

struct UnitWord {
  std::string_view word;
  FigureUnit unit;
  double scale;
};
// Longer ones first: "GB/s" before "GB".
constexpr auto kUnits = std::to_array<UnitWord>({{"GB/s", FigureUnit::bytes_per_s, 1e9},
                                                 {"MB/s", FigureUnit::bytes_per_s, 1e6},
                                                 {"TB/s", FigureUnit::bytes_per_s, 1e12},
                                                 {"microseconds", FigureUnit::time_us, 1},
                                                 {"milliseconds", FigureUnit::time_us, 1e3},
                                                 {"seconds", FigureUnit::time_us, 1e6},
                                                 {"微秒", FigureUnit::time_us, 1},
                                                 {"毫秒", FigureUnit::time_us, 1e3},
                                                 {"纳秒", FigureUnit::time_us, 1e-3},
                                                 {"秒", FigureUnit::time_us, 1e6},
                                                 {"us", FigureUnit::time_us, 1},
                                                 {"µs", FigureUnit::time_us, 1},
                                                 {"μs", FigureUnit::time_us, 1},
                                                 {"ms", FigureUnit::time_us, 1e3},
                                                 {"ns", FigureUnit::time_us, 1e-3},
                                                 {"s", FigureUnit::time_us, 1e6},
                                                 {"percent", FigureUnit::share, 1e-2},
                                                 {"per cent", FigureUnit::share, 1e-2},
                                                 {"%", FigureUnit::share, 1e-2},
                                                 {"％", FigureUnit::share, 1e-2},
                                                 {"GiB", FigureUnit::bytes, 1073741824.0},
                                                 {"MiB", FigureUnit::bytes, 1048576.0},
                                                 {"KiB", FigureUnit::bytes, 1024.0},
                                                 {"TB", FigureUnit::bytes, 1e12},
                                                 {"GB", FigureUnit::bytes, 1e9},
                                                 {"MB", FigureUnit::bytes, 1e6},
                                                 {"KB", FigureUnit::bytes, 1e3},
                                                 {"kB", FigureUnit::bytes, 1e3},
                                                 {"bytes", FigureUnit::bytes, 1},
                                                 {"字节", FigureUnit::bytes, 1},
                                                 {"times", FigureUnit::count, 1},
                                                 {"calls", FigureUnit::count, 1},
                                                 {"launches", FigureUnit::count, 1},
                                                 {"operators", FigureUnit::count, 1},
                                                 {"instances", FigureUnit::count, 1},
                                                 {"次", FigureUnit::count, 1},
                                                 {"个算子", FigureUnit::count, 1},
                                                 {"instance", FigureUnit::count, 1}});

const UnitWord* unit_at(std::string_view text, size_t at) {
  for (const UnitWord& one : kUnits) {
    if (text.substr(at, one.word.size()) != one.word) continue;
    const size_t end = at + one.word.size();
    const bool is_letter = std::isalpha(static_cast<unsigned char>(one.word.back())) != 0;
    if (is_letter && end < text.size() && is_word(text[end])) continue;
    return &one;
  }
  return nullptr;
}

/// "3 times as long", 0.3 times: a multiple, which counts nothing.
bool is_multiple(std::string_view text, const UnitWord& unit, size_t end, double step) {
  if (unit.unit != FigureUnit::count) return false;
  static constexpr auto kBehind =
      std::to_array<std::string_view>({" as ", " the ", " more", " longer", " less", " faster", " slower", " that of"});
  const std::string_view behind = text.substr(end);
  return step < 1 || (unit.word == "times" && std::any_of(kBehind.begin(), kBehind.end(), [&](std::string_view one) {
                        return behind.starts_with(one);
                      }));
}

struct Number {
  double value = 0, step = 1;  // step: of the last digit
  size_t end = 0;
};

/// 12.3, 1,234, 1234.5 at `at`; nullopt: too long, or a version such as 1.2.3.
std::optional<Number> number_at(std::string_view text, size_t at) {
  std::string digits;
  size_t i = at, decimals = 0;
  bool has_point = false;
  for (; i < text.size() && i - at <= kMaxNumberBytes; ++i) {
    if (is_digit(text[i])) {
      digits += text[i];
      decimals += has_point ? 1 : 0;
    } else if (text[i] == '.' && !has_point && i + 1 < text.size() && is_digit(text[i + 1])) {
      digits += '.';
      has_point = true;
    } else if (text[i] == ',' && !has_point && i + 3 < text.size() && is_digit(text[i + 1]) && is_digit(text[i + 2]) &&
               is_digit(text[i + 3]) && (i + 4 == text.size() || !is_digit(text[i + 4]))) {
      continue;
    } else {
      break;
    }
  }
  if (i - at > kMaxNumberBytes || (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1]))) return std::nullopt;
  const auto value = to_double(digits);
  if (!value) return std::nullopt;
  return Number{*value, std::pow(10.0, -static_cast<double>(decimals)), i};
}

bool is_share_word_before(std::string_view text, size_t at) {
  static constexpr auto kWords =
      std::to_array<std::string_view>({"ratio", "share", "fraction", "占比", "比例", "utilization"});
  const size_t from = at < 32 ? 0 : at - 32;
  const std::string_view before = text.substr(from, at - from);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view one) { return before.find(one) != before.npos; });
}

/// What one of the written unit is worth in the base.
double written_scale(const QuotedFigure& figure) {
  size_t digits = 0;
  while (digits < figure.text.size() &&
         (is_digit(figure.text[digits]) || figure.text[digits] == '.' || figure.text[digits] == ',')) {
    ++digits;
  }
  size_t at = digits;
  while (at < figure.text.size() && figure.text[at] == ' ') ++at;
  const UnitWord* unit = unit_at(figure.text, at);
  return unit == nullptr ? 1 : unit->scale;
}

}  // namespace

std::vector<QuotedFigure> find_figures(std::string_view text,
                                       const std::function<std::optional<FigureUnit>(size_t)>& unit_of_number) {
  std::vector<QuotedFigure> figures;
  for (size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const bool is_in_word = i > 0 && (is_word(text[i - 1]) || text[i - 1] == '.');
    const bool is_part = is_in_word || (i > 0 && text[i - 1] == '=');
    const auto number = number_at(text, i);
    const bool ends = number && (number->end >= text.size() || !is_word(text[number->end]));
    size_t unit_begin = number ? number->end : i;
    if (unit_begin < text.size() && text[unit_begin] == ' ') ++unit_begin;
    const UnitWord* unit = number ? unit_at(text, unit_begin) : nullptr;
    if (unit != nullptr && is_multiple(text, *unit, unit_begin + unit->word.size(), number->step)) unit = nullptr;
    const auto of_key =
        unit == nullptr && ends && !is_in_word && unit_of_number ? unit_of_number(i) : std::optional<FigureUnit>();
    if (!number || (is_part && !of_key)) {
      while (i < text.size() && (is_word(text[i]) || text[i] == '.' || text[i] == ',')) ++i;
      continue;
    }
    const bool is_bare_share =
        unit == nullptr && number->value <= 1 && number->step < 1 && ends && is_share_word_before(text, i);
    if (unit != nullptr || of_key || is_bare_share) {
      const double scale = unit == nullptr ? 1 : unit->scale;
      const size_t end = unit == nullptr ? number->end : unit_begin + unit->word.size();
      figures.push_back({std::string(text.substr(i, end - i)), i, end - i, number->value * scale, number->step * scale,
                         unit != nullptr ? unit->unit : of_key.value_or(FigureUnit::share)});
      i = end;
    } else {
      i = number->end;
    }
  }
  return figures;
}

bool is_as_written(const QuotedFigure& figure, double value) {
  const double tolerance = std::max(figure.last_digit / 2, std::abs(figure.value) * kRelativeTolerance) * (1 + 1e-9);
  return std::abs(value - figure.value) <= tolerance;
}

Json CheckedFigure::to_json() const {
  const double scale = written_scale(figure);
  Json json = {{"text", figure.text}, {"claimed", figure.value / scale}, {"measured", nullptr}, {"ok", nullptr}};
  if (measured) json["measured"] = *measured / scale;
  if (ok) json["ok"] = *ok;
  if (!where.empty()) json["where"] = where;
  if (!what.empty()) json["what"] = what;
  return json;
}

std::string CheckedFigure::measured_as_written() const {
  const double scale = written_scale(figure);
  const double step = figure.last_digit / scale;
  const int decimals = step >= 1 ? 0 : static_cast<int>(std::lround(-std::log10(step)));
  // A figure that is small gets three digits: 0 in place of 0.4 would be wrong again.
  const double value = *measured / scale;
  int needed = decimals;
  for (double digits = std::abs(value); digits > 0 && digits * std::pow(10.0, needed) < 100 && needed < 9;) ++needed;
  std::array<char, 64> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.*f", needed, value);
  size_t unit = 0;
  while (unit < figure.text.size() && std::string_view("0123456789.,").find(figure.text[unit]) != figure.text.npos) {
    ++unit;
  }
  return std::string(text.data(), static_cast<size_t>(size)) + figure.text.substr(unit);
}

}  // namespace stepwise::advice
