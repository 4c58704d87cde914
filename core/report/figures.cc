#include "core/report/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/base/text.h"
#include "core/report/said.h"

namespace stepwise::report {
namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer{};  // the longest double has 309 digits before the point
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  std::string text(buffer.data(), static_cast<size_t>(std::max(length, 0)));
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);  // no "-0.00"
  return text;
}

std::string with_groups(std::string number) {
  const size_t begin = number.starts_with('-') ? 1 : 0;
  size_t end = number.find('.');
  if (end == std::string::npos) end = number.size();
  for (size_t at = end; at > begin + 3;) number.insert(at -= 3, ",");
  return number;
}

constexpr std::string_view kCountKeys[] = {"count", "rows", "step_count", "rank_count", "total_rows"};

bool is_count_key(std::string_view key) {
  return std::ranges::find(kCountKeys, key) != std::end(kCountKeys) || key.ends_with("_count");
}

/// A measure without a unit: four decimals say enough of it, unless it is too small or too large for them.
std::string plain_text(double number, const Json& value) {
  const double size = std::fabs(number);
  if ((size < 0.001 && size > 0) || size >= 1e15) return dump_json(value);
  std::string text = fixed(number, 4);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string number_text(std::string_view key, const Json& value) {
  const double number = value.get<double>();
  if (!std::isfinite(number)) return dump_json(value);
  if (key.ends_with("_us") || key == "us") return exact_us(number);
  if (key.ends_with("ratio")) return percent(number);
  if (key.ends_with("bytes") && number >= 0) return human_bytes(static_cast<uint64_t>(number));
  if (is_count_key(key) && value.is_number_integer()) return grouped(value.get<int64_t>());
  if (value.is_number_float()) return plain_text(number, value);
  return dump_json(value);  // a step or an id is a name, not an amount: no grouping
}

std::string list_text(Lang lang, const Json& list) {
  std::string out;
  for (const Json& item : list) out += (out.empty() ? "" : ", ") + cell_text(lang, "", item);
  return out;
}

std::string object_text(Lang lang, const Json& object) {
  std::string out;
  for (const auto& [key, value] : object.items()) {
    out += (out.empty() ? "" : "; ") + label(lang, "col", key) + " " + cell_text(lang, key, value);
  }
  return out;
}

/// Keys whose values are words of a closed vocabulary, and which.
struct Vocabulary {
  std::string_view key, kind;
};
constexpr Vocabulary kVocabularies[] = {
    {"a", "stage"},
    {"b", "stage"},
    {"cause", "cause"},
    {"depth_from", "depth_from"},
    {"flag", "flag"},
    {"from", "source"},
    {"insufficient", "insufficient"},
    {"kind", "kind"},
    {"level", "level"},
    {"matched_by", "matched_by"},
    {"of", "of"},
    {"problem", "problem"},
    {"side", "side"},
    {"source", "source"},
    {"stage", "stage"},
    {"stage_by_time", "stage"},
};

/// Keys whose values are sentences of the analyses.
constexpr std::string_view kSentences[] = {"avg_of", "says", "window", "why"};

std::string text_of(Lang lang, std::string_view key, const std::string& text) {
  if (std::ranges::find(kSentences, key) != std::end(kSentences)) return said(lang, text);
  const auto known = std::ranges::find(kVocabularies, key, &Vocabulary::key);
  return known == std::end(kVocabularies) ? text : label(lang, known->kind, text);
}

}  // namespace

std::string exact_us(double us) { return with_groups(fixed(us, 3)); }

std::string percent(double ratio, int decimals) { return fixed(ratio * 100.0, decimals) + " %"; }

std::string grouped(int64_t value) { return with_groups(std::to_string(value)); }

std::string human_time(double us, int significant_digits) {
  const double size = std::fabs(us);
  const auto [divisor, unit] = size >= 1e6   ? std::pair{1e6, " s"}
                               : size >= 1e3 ? std::pair{1e3, " ms"}
                                             : std::pair{1.0, " us"};
  const double value = us / divisor;
  const int before_point = std::fabs(value) >= 100 ? 3 : std::fabs(value) >= 10 ? 2 : 1;
  // Below a microsecond the nanoseconds count, not the digits: nothing finer was measured.
  const int decimals = std::clamp(significant_digits - before_point, 0, 3);
  return with_groups(fixed(value, decimals)) + unit;
}

std::string cell_text(Lang lang, std::string_view key, const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "–";
    case Json::value_t::string:
      return to_valid_utf8(text_of(lang, key, value.get_ref<const std::string&>()));
    case Json::value_t::boolean:
      if (key == "bottleneck") return value.get<bool>() ? "★" : "";  // seen in a long column at once
      return std::string(word(lang, value.get<bool>() ? "value.yes" : "value.no"));
    case Json::value_t::array:
      return list_text(lang, value);
    case Json::value_t::object:
      return object_text(lang, value);
    default:
      return value.is_number() ? number_text(key, value) : dump_json(value);
  }
}

bool is_figure(const Json& value) { return value.is_number() || value.is_null(); }

}  // namespace stepwise::report
