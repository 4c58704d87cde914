#include "core/ingest/discovery/recording_choice.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/characters.h"
#include "core/base/text.h"
#include "core/ingest/discovery/rank_number.h"
#include "core/ingest/discovery/separate_runs.h"

namespace stepwise::ingest {
namespace {

/// "20250101001000000" or "20250101001000" -> milliseconds since 1970.
std::optional<int64_t> ms_of_date(std::string_view digits) {
  const auto part = [&](size_t from, size_t count) { return *to_integer(digits.substr(from, count)); };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(part(0, 4))),
                                        std::chrono::month(static_cast<unsigned>(part(4, 2))),
                                        std::chrono::day(static_cast<unsigned>(part(6, 2)))};
  const int64_t hour = part(8, 2), minute = part(10, 2), second = part(12, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  const int64_t ms = digits.size() == 17 ? part(14, 3) : 0;
  return ((days * 24 + hour) * 60 + minute) * 60'000 + second * 1'000 + ms;
}

/// By how many digits there are: a date, or Unix time in seconds, milliseconds, microseconds or nanoseconds.
std::optional<int64_t> ms_of(std::string_view digits) {
  switch (digits.size()) {
    case 14:
    case 17:
      return ms_of_date(digits);
    case 10:
      return *to_integer(digits) * 1'000;
    case 13:
      return to_integer(digits);
    case 16:
      return *to_integer(digits) / 1'000;
    case 19: {
      const auto ns = to_integer(digits);  // nullopt: too large
      return ns ? std::optional(*ns / 1'000'000) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool is_separator(char c) { return c == '.' || c == '_' || c == '-'; }

std::string_view without_separators(std::string_view text) {
  while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
  return text;
}

struct Timed {
  size_t run = 0;
  int64_t time_ms = 0;
  std::string who;
};

bool is_twice(const std::vector<Timed>& runs) {
  std::set<std::string_view> seen;
  return std::any_of(runs.begin(), runs.end(), [&](const Timed& run) { return !seen.insert(run.who).second; });
}

/// In the order of their times.
void cut(std::vector<Timed> runs, std::vector<std::vector<size_t>>& recordings) {
  size_t at = 0;
  int64_t longest_ms = 0;
  for (size_t i = 1; i < runs.size(); ++i) {
    const int64_t gap_ms = runs[i].time_ms - runs[i - 1].time_ms;
    if (gap_ms > longest_ms) std::tie(at, longest_ms) = std::pair(i, gap_ms);
  }
  if (at == 0 || !is_twice(runs)) {
    std::vector<size_t>& one = recordings.emplace_back();
    for (const Timed& run : runs) one.push_back(run.run);
    return;
  }
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(at);
  cut({runs.begin(), middle}, recordings);
  cut({middle, runs.end()}, recordings);
}

}  // namespace

std::optional<RecordingName> recording_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (size_t end = name.size(); end > 0;) {
    size_t begin = end;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    const bool is_apart =
        (begin == 0 || is_separator(name[begin - 1])) && (end == name.size() || is_separator(name[end]));
    const auto time_ms = is_apart ? ms_of(name.substr(begin, end - begin)) : std::nullopt;
    if (time_ms) {
      RecordingName out;
      out.time_ms = *time_ms;
      out.worker = without_separators(name.substr(0, begin));
      std::string_view host = out.worker;
      while (!host.empty() && is_digit(host.back())) host.remove_suffix(1);
      // "host_990", not "worker0"
      const bool has_process = host.size() < out.worker.size() && !host.empty() && is_separator(host.back());
      out.host = has_process ? std::string(without_separators(host)) : out.worker;
      return out;
    }
    end = begin == end ? end - 1 : begin;
  }
  return std::nullopt;
}

std::vector<std::vector<size_t>> recordings_of(const std::vector<RecordedRun>& runs) {
  std::vector<Timed> timed;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto name = recording_name(runs[i].path);
    if (!name) break;
    timed.push_back(
        {i, name->time_ms, runs[i].rank ? std::to_string(*runs[i].rank) + " on " + name->host : name->worker});
  }
  std::vector<std::vector<size_t>> recordings;
  if (timed.size() < runs.size()) {
    std::vector<size_t>& all = recordings.emplace_back(runs.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return recordings;
  }
  std::stable_sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) { return a.time_ms < b.time_ms; });
  cut(std::move(timed), recordings);
  return recordings;
}

size_t recording_to_open(const std::vector<std::vector<size_t>>& recordings) {
  size_t chosen = 0;
  for (size_t i = 1; i < recordings.size(); ++i) {
    if (recordings[i].size() >= recordings[chosen].size()) chosen = i;
  }
  return chosen;
}

std::vector<SourceFile> keep_one_recording(ProfileLayout& layout) {
  std::vector<SourceFile> left;
  const bool is_claimed_twice = std::any_of(layout.ranks.begin(), layout.ranks.end(),
                                            [](const RankLayout& run) { return run.claimed.has_value(); });
  if (!is_claimed_twice || !separate_runs(layout).empty()) return left;
  std::vector<RecordedRun> runs;
  for (const RankLayout& run : layout.ranks) {
    runs.push_back({run.dir, claimed_rank(layout.kind, layout.root, run)});
  }
  const std::vector<std::vector<size_t>> recordings = recordings_of(runs);
  if (recordings.size() < 2) return left;
  const size_t opened = recording_to_open(recordings);
  std::vector<RankLayout> kept;
  for (const size_t run : recordings[opened]) {
    layout.ranks[run].claimed.reset();
    kept.push_back(std::move(layout.ranks[run]));
  }
  std::vector<SeparateRun> others;
  for (size_t i = 0; i < recordings.size(); ++i) {
    for (const size_t run : recordings[i]) {
      if (i == opened) continue;
      SeparateRun& other = others.emplace_back();
      other.path = layout.root / runs[run].path;
      other.kind = layout.kind;
      other.ranks.push_back(runs[run].rank.value_or(0));
      SourceFile& file = left.emplace_back();
      file.path = runs[run].path;
      file.why_not = "another recording of the same workers: open it by its path";
    }
  }
  layout.ranks = std::move(kept);
  number_ranks(layout.kind, layout.root, layout.ranks);
  SeparateRun& own = layout.runs.emplace_back();
  own.path = layout.root;
  own.kind = layout.kind;
  for (const RankLayout& run : layout.ranks) own.ranks.push_back(run.claimed.value_or(run.rank));
  layout.runs.insert(layout.runs.end(), others.begin(), others.end());
  const bool is_last = opened + 1 == recordings.size();
  layout.remarks.push_back(
      {"profile.several_runs",
       "The directory holds " + std::to_string(recordings.size()) +
           " recordings of the same workers, one after another, whose ranks are no ranks of one. Opened is the last "
           "one" +
           (is_last ? "" : " of those with most ranks") + ", with " + layout.ranks.front().dir +
           "; the others are opened rank by rank by their paths, or together from a directory of their own."});
  return left;
}

}  // namespace stepwise::ingest
