#include "core/advice/draft/printed_members.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace stepwise::advice {
namespace {

constexpr size_t kReach = 800;  // bytes before a figure, in which its object is named
constexpr size_t kLongestKey = 80;

bool is_key(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// What tells a row of a list from the others.
std::string name_of_row(const Json& row) {
  for (const auto& [key, value] : row.items()) {
    if (value.is_string() && key != "says") return value.get<std::string>();
  }
  return "";
}

FigureUnit unit_of_key(std::string_view key) {
  if (key.ends_with("_us") || key == "us" || key == "us_per_step") return FigureUnit::time_us;
  if (key.ends_with("_bytes")) return FigureUnit::bytes;
  return key.ends_with("_ratio") || key == "ratio" || key.ends_with(".r_wait") ? FigureUnit::share : FigureUnit::count;
}

}  // namespace

std::string_view key_before(std::string_view text, size_t at) {
  const size_t from = at < kLongestKey + 8 ? 0 : at - kLongestKey - 8;
  std::string_view near = text.substr(from, at - from);
  const auto drop = [&](std::string_view marks) {
    size_t dropped = 0;
    while (!near.empty() && marks.find(near.back()) != marks.npos) {
      near.remove_suffix(1);
      ++dropped;
    }
    return dropped;
  };
  drop(" ");
  if (near.ends_with("：")) {
    near.remove_suffix(std::string_view("：").size());
  } else if (drop("=:") != 1) {
    return {};
  }
  drop(" \"`*");
  size_t begin = near.size();
  while (begin > 0 && is_key(near[begin - 1])) --begin;
  return near.substr(begin);
}

PrintedMembers::PrintedMembers(const Answers& answers) {
  for (const auto& [tool, answer] : answers) {
    if (!answer.is_object() || !answer.contains("metrics")) continue;
    for (const auto& [name, value] : answer["metrics"].items()) {
      if (value.is_number()) {
        members_[name].push_back({value.get<double>(), tool + "#/metrics/" + name, true, "", ""});
      }
    }
  }
  if (const auto summary = answers.find("summarize_profile"); summary != answers.end()) {
    take(summary->second, "summarize_profile#", "", "");
  }
}

void PrintedMembers::take(const Json& object, const std::string& where, const std::string& name,
                          const std::string& row) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    const std::string at = where + "/" + key;
    if (key == "metrics" || key == "evidence") continue;
    if (value.is_number()) members_[key].push_back({value.get<double>(), at, false, name, row});
    if (value.is_object()) take(value, at, key, "");
    if (!value.is_array()) continue;
    for (size_t i = 0; i < value.size(); ++i) {
      if (value[i].is_object()) take(value[i], at + "/" + std::to_string(i), key, name_of_row(value[i]));
    }
  }
}

std::optional<FigureUnit> PrintedMembers::unit_of(std::string_view key) const {
  return members_.find(key) == members_.end() ? std::nullopt : std::optional(unit_of_key(key));
}

std::optional<PrintedMembers::Held> PrintedMembers::hold(std::string_view text, const QuotedFigure& figure) const {
  const std::string_view key = key_before(text, figure.offset);
  const auto known = members_.find(key);
  if (key.empty() || known == members_.end() || unit_of_key(key) != figure.unit) return std::nullopt;
  const size_t from = figure.offset < kReach ? 0 : figure.offset - kReach;
  const std::string_view before = text.substr(from, figure.offset - from);
  // A row's own name may stand behind, in the same braces.
  const size_t open = before.rfind('{');
  const std::string_view row = text.substr(open == before.npos ? from : from + open, kReach);
  const std::string_view braces = row.substr(0, row.find('}'));
  const Member* metric = nullptr;
  for (const Member& one : known->second) {
    if (one.is_metric) metric = &one;
    const bool is_named = before.find(one.object) != before.npos && braces.find(one.row) != braces.npos;
    if (!is_named || !is_as_written(figure, one.value)) continue;
    return Held{one.value, true, one.where, (one.is_metric ? "metric " : "") + std::string(key)};
  }
  if (metric == nullptr) return std::nullopt;
  return Held{metric->value, false, metric->where, "metric " + std::string(key)};
}

}  // namespace stepwise::advice
