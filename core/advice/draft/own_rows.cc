#include "core/advice/draft/own_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr char kNumber = '\x01';
constexpr size_t kShortest = 12;        // bytes of a sentence that is known again by its words
constexpr size_t kReachOfWords = 32;    // bytes between a figure and what says how it is meant
constexpr size_t kReachOfHead = 64;     // "[high, 51.9 % of the step at most] " in front of a finding
constexpr size_t kReachOfMetric = 160;  // between a metric's name and its threshold
constexpr size_t kMostPlaces = 10'000;  // in one text
constexpr auto kBoundWords = std::to_array<std::string_view>(
    {"at most", "up to", "no more than", "upper bound", "bound_us", "上限", "至多", "最多", "不超过"});
constexpr auto kGainWords = std::to_array<std::string_view>({"gain", "saves", "收益", "节省"});
constexpr auto kThresholdWords = std::to_array<std::string_view>({"threshold", "阈值"});

bool changes_nothing(char c) { return std::string_view(" \t\r\n*`\"\\").find(c) != std::string_view::npos; }

/// Digits with the marks between them.
size_t number_end(std::string_view text, size_t at) {
  while (at < text.size() && (is_digit(text[at]) || ((text[at] == '.' || text[at] == ',') && at + 1 < text.size() &&
                                                     is_digit(text[at + 1])))) {
    ++at;
  }
  return at;
}

std::string digits_of(std::string_view number) {
  std::string out;
  for (const char c : number) {
    if (c != ',') out += c;
  }
  return out;
}

bool holds_any(std::string_view text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return text.find(one) != text.npos; });
}

std::string_view before(std::string_view text, size_t at, size_t bytes) {
  const size_t begin = at < bytes ? 0 : at - bytes;
  return text.substr(begin, at - begin);
}

/// Up to the end of the line.
std::string_view behind(std::string_view text, size_t at, size_t bytes) {
  const std::string_view near = text.substr(std::min(at, text.size()), bytes);
  return near.substr(0, near.find('\n'));
}

/// "share_ratio": 0.5, with or without the quotes.
bool stands_behind_key(std::string_view text, size_t at, std::string_view key) {
  std::string_view near = before(text, at, key.size() + 6);
  while (!near.empty() && std::string_view(" \":=").find(near.back()) != near.npos) near.remove_suffix(1);
  return near.ends_with(key) && near.size() < before(text, at, key.size() + 6).size();
}

std::optional<double> number_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

std::string text_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

}  // namespace

MaskedText::MaskedText(std::string_view written) {
  text.reserve(written.size());
  at.reserve(written.size() + 1);
  const auto add = [&](char c, size_t from) {
    text += c;
    at.push_back(from);
  };
  for (size_t i = 0; i < written.size();) {
    const bool begins_number = is_digit(written[i]) && (i == 0 || (!is_word(written[i - 1]) && written[i - 1] != '.'));
    if (begins_number) {
      add(kNumber, i);
      i = number_end(written, i);
      continue;
    }
    if (!changes_nothing(written[i])) add(written[i], i);
    ++i;
  }
  at.push_back(written.size());
}

OwnRows::OwnRows(const Answers& answers) {
  const auto advise = answers.find("advise");
  if (advise == answers.end()) return;
  const Json none = Json::array(), empty = Json::object();
  const Json rows = advise->second.value("rows", none);
  for (size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    const Json trigger = row.value("trigger", empty), gain = row.value("gain", empty);
    rows_.push_back({"advise#/rows/" + std::to_string(i) + "/", text_of(row, "rule"), number_of(row, "share_ratio"),
                     number_of(gain, "bound_us"), number_of(trigger, "value"), number_of(trigger, "threshold"),
                     text_of(trigger, "metric")});
    add_sentence(text_of(row, "finding"), i, true);
    add_sentence(text_of(row, "measure"), i, false);
  }
}

void OwnRows::add_sentence(std::string written, size_t row, bool is_finding) {
  // What it ends in is left to who quotes it.
  for (const std::string_view stop : {".", "。"}) {
    if (written.ends_with(stop)) written.resize(written.size() - stop.size());
  }
  MaskedText masked(written);
  if (masked.text.size() < kShortest) return;
  const auto same = std::find_if(sentences_.begin(), sentences_.end(),
                                 [&](const Sentence& one) { return one.masked.text == masked.text; });
  if (same != sentences_.end()) {
    same->rows.push_back(row);
    return;
  }
  sentences_.push_back({std::move(masked), written, find_figures(written), {row}, is_finding});
}

std::vector<OwnRows::Place> OwnRows::places_in(std::string_view text) const {
  std::vector<Place> places;
  if (sentences_.empty()) return places;
  const MaskedText masked(text);
  for (const Sentence& sentence : sentences_) {
    const std::string& words = sentence.masked.text;
    for (size_t found = masked.text.find(words); found != std::string::npos && places.size() < kMostPlaces;
         found = masked.text.find(words, found + words.size())) {
      Place place{masked.at[found], masked.at[found + words.size()], &sentence, {}};
      bool is_ours = true;
      for (size_t i = 0; i < words.size() && sentence.is_finding; ++i) {
        if (words[i] != kNumber) continue;
        const size_t ours = sentence.masked.at[i], theirs = masked.at[found + i];
        place.numbers.push_back(theirs);
        const bool is_figure = std::any_of(sentence.figures.begin(), sentence.figures.end(),
                                           [&](const QuotedFigure& one) { return one.offset == ours; });
        // A number without a unit is held against nothing: with another one it is another sentence.
        const std::string_view own(sentence.written);
        is_ours = is_ours && (is_figure || digits_of(own.substr(ours, number_end(own, ours) - ours)) ==
                                               digits_of(text.substr(theirs, number_end(text, theirs) - theirs)));
      }
      if (is_ours) places.push_back(std::move(place));
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
  return places;
}

OwnRows::Held OwnRows::held(const QuotedFigure& figure, double measured, size_t row, const char* member) const {
  return {measured, is_as_written(figure, measured), rows_[row].where + member, rows_[row].what};
}

std::optional<OwnRows::Held> OwnRows::held_in_sentence(const Place& place, const QuotedFigure& figure) const {
  const auto number = std::find(place.numbers.begin(), place.numbers.end(), figure.offset);
  if (number == place.numbers.end()) return std::nullopt;
  size_t left = static_cast<size_t>(number - place.numbers.begin());
  const Sentence& sentence = *place.sentence;
  for (size_t i = 0; i < sentence.masked.text.size(); ++i) {
    if (sentence.masked.text[i] != kNumber || left-- > 0) continue;
    for (const QuotedFigure& own : sentence.figures) {
      if (own.offset != sentence.masked.at[i] || own.unit != figure.unit) continue;
      return held(figure, own.value, sentence.rows.front(), "finding");
    }
    break;
  }
  return std::nullopt;
}

std::optional<OwnRows::Held> OwnRows::held_as_bound(std::string_view text, const QuotedFigure& figure,
                                                    const RowNumbers& named) const {
  const bool is_share = figure.unit == FigureUnit::share;
  if (named.empty() || (!is_share && figure.unit != FigureUnit::time_us)) return std::nullopt;
  const bool is_key = stands_behind_key(text, figure.offset, is_share ? "share_ratio" : "bound_us");
  std::string near = to_lower(before(text, figure.offset, kReachOfWords));
  near = near.substr(near.rfind('\n') == near.npos ? 0 : near.rfind('\n')) + " ";
  near += to_lower(behind(text, figure.offset + figure.length, kReachOfWords));
  if (!is_key && !holds_any(near, kBoundWords)) return std::nullopt;
  std::optional<Held> first;
  for (const size_t row : named) {
    const auto& bound = is_share ? rows_[row].share_ratio : rows_[row].bound_us;
    if (!bound) continue;
    Held one = held(figure, *bound, row, is_share ? "share_ratio" : "gain/bound_us");
    one.what += ", at most";
    if (one.ok) return one;
    if (!first) first = std::move(one);
  }
  // Beside a word alone it may be meant of something else.
  return is_key || holds_any(near, kGainWords) ? first : std::nullopt;
}

std::optional<OwnRows::Held> OwnRows::held_as_trigger(std::string_view text, const QuotedFigure& figure) const {
  const std::string_view near = before(text, figure.offset, kReachOfMetric);
  const std::string_view at_once = before(text, figure.offset, 16);
  const bool is_threshold = holds_any(at_once, kThresholdWords);
  if (!is_threshold && !stands_behind_key(text, figure.offset, "value")) return std::nullopt;
  const Row* last = nullptr;
  size_t last_at = 0;
  for (const Row& row : rows_) {
    if (row.metric.empty()) continue;
    const size_t at = near.rfind(row.metric);
    if (at == near.npos || (last != nullptr && at <= last_at)) continue;
    last = &row;
    last_at = at;
  }
  if (last == nullptr) return std::nullopt;
  const auto& own = is_threshold ? last->threshold : last->value;
  if (!own || !is_as_written(figure, *own)) return std::nullopt;
  return held(figure, *own, static_cast<size_t>(last - rows_.data()),
              is_threshold ? "trigger/threshold" : "trigger/value");
}

std::vector<std::optional<OwnRows::Held>> OwnRows::hold(std::string_view text, const std::vector<QuotedFigure>& figures,
                                                        const RowNumbers& above) const {
  std::vector<std::optional<Held>> out(figures.size());
  if (rows_.empty()) return out;
  const auto places = places_in(text);
  auto next = places.begin();
  RowNumbers named = above;
  const Place* within = nullptr;
  for (size_t i = 0; i < figures.size(); ++i) {
    const QuotedFigure& figure = figures[i];
    for (; next != places.end() && next->begin <= figure.offset; ++next) {
      named = narrowed(named, *next->sentence);
      if (next->sentence->is_finding) within = &*next;
    }
    if (within != nullptr && figure.offset < within->end) out[i] = held_in_sentence(*within, figure);
    const size_t end = figure.offset + figure.length;
    const bool is_head = next != places.end() && next->begin < end + kReachOfHead &&
                         text.substr(end, next->begin - end).find('\n') == text.npos;
    if (!out[i] && is_head) out[i] = held_as_bound(text, figure, next->sentence->rows);
    if (!out[i]) out[i] = held_as_bound(text, figure, named);
    if (!out[i]) out[i] = held_as_trigger(text, figure);
  }
  return out;
}

RowNumbers OwnRows::named_last(std::string_view text) const {
  RowNumbers named;
  for (const Place& place : places_in(text)) named = narrowed(named, *place.sentence);
  return named;
}

/// A measure behind its finding names that one row of it.
RowNumbers OwnRows::narrowed(const RowNumbers& named, const Sentence& by) {
  if (by.is_finding) return by.rows;
  RowNumbers both;
  for (const size_t row : by.rows) {
    if (std::find(named.begin(), named.end(), row) != named.end()) both.push_back(row);
  }
  return both.empty() ? by.rows : both;
}

}  // namespace stepwise::advice
