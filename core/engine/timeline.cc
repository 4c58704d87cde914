#include "core/engine/timeline.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "core/base/text.h"
#include "core/engine/open_profile.h"
#include "core/engine/timeline_slices.h"
#include "core/ingest/discovery/layout.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

constexpr int64_t kDefaultSlices = 5;  // of a track
constexpr size_t kTracksShown = 8;     // without the argument `tracks`
constexpr size_t kMaxNameChars = 60;
constexpr int64_t kNsPerUs = 1'000;

constexpr double kMostUs = 8.64e12;  // 100 days: a double still tells single ns

double us(int64_t ns) { return static_cast<double>(ns) / static_cast<double>(kNsPerUs); }

bool has_instants(const table::TableDecl& decl) {
  return std::any_of(decl.columns.begin(), decl.columns.end(), [](const table::ColumnDecl& column) {
    return column.name == std::string_view("start_ns") || column.name == std::string_view("ts_ns");
  });
}

/// start_us and end_us count from the profile's origin, which is in a segment of the lowest rank.
Result<void> read_origin(CallHost& host) {
  const OpenProfile& profile = *host.profile();
  const uint32_t lowest = profile.lowest_rank();
  for (const table::Group group : {table::Group::files, table::Group::trace}) {
    for (const table::TableDecl* decl : table::kAllTables) {
      if (!has_instants(*decl) || ingest::group_of(profile.layout.kind, decl->name) != group ||
          !ingest::could_have(profile.layout, *profile.find_rank(lowest), decl->name)) {
        continue;
      }
      return host.read(std::span(&lowest, 1), decl->name);
    }
  }
  return {};
}

Result<Window> window_of(const Json& arguments, int64_t origin_ns) {
  const double start_us = arguments["start_us"], end_us = arguments["end_us"];
  const char* const hint = "Both count in us from the profile's origin, as `start_us` of every answer does.";
  if (!(start_us < end_us)) {
    return Error{ErrorKind::usage, "timeline.window", "The window must end after it starts.", hint, "/end_us"};
  }
  if (std::abs(start_us) > kMostUs || std::abs(end_us) > kMostUs) {
    return Error{ErrorKind::usage, "timeline.window", "The window reaches further than any recording.", hint,
                 std::abs(start_us) > kMostUs ? "/start_us" : "/end_us"};
  }
  const Window window{origin_ns + std::llround(start_us * kNsPerUs), origin_ns + std::llround(end_us * kNsPerUs)};
  if (window.start_ns == window.end_ns) {
    return Error{ErrorKind::usage, "timeline.window", "The window is shorter than a nanosecond.", hint, "/end_us"};
  }
  return window;
}

/// An instant: three significant digits would not tell one from the next.
std::string instant(int64_t ns) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", us(ns));
  return text;
}

bool is_chosen(const std::string& name, const Json& wanted) {
  const std::string track = to_lower(name);
  return std::any_of(wanted.begin(), wanted.end(), [&](const Json& part) {
    return track.find(to_lower(part.get<std::string>())) != std::string::npos;
  });
}

/// Positions of the slices to show: the longest, in time order.
std::vector<size_t> longest(const std::vector<Slice>& slices, int64_t min_ns, size_t most) {
  std::vector<size_t> at;
  for (size_t i = 0; i < slices.size(); ++i) {
    if (slices[i].dur_ns >= min_ns) at.push_back(i);
  }
  std::stable_sort(at.begin(), at.end(), [&](size_t a, size_t b) { return slices[a].dur_ns > slices[b].dur_ns; });
  at.resize(std::min(at.size(), most));
  std::sort(at.begin(), at.end());
  return at;
}

struct Shown {
  Json tracks = Json::array();
  std::string text;
  size_t left_out = 0;
};

void show(const Track& track, const std::vector<size_t>& positions, const Window& window, int64_t origin_ns,
          Shown& out) {
  const size_t left_out = track.slices.size() - positions.size();
  Json entry = {{"name", track.name},
                {"busy_us", us(track.busy_ns)},
                {"busy_ratio", us(track.busy_ns) / us(window.end_ns - window.start_ns)},
                {"slice_count", track.slices.size()},
                {"left_out", left_out},
                {"slices", Json::array()}};
  out.text += track.name + ": busy " + three_digits(us(track.busy_ns)) + " us, " + std::to_string(track.slices.size()) +
              " slices" + (left_out == 0 ? "" : ", " + std::to_string(left_out) + " not shown") + "\n";
  for (const size_t position : positions) {
    const Slice& slice = track.slices[position];
    const std::string name = shorten(to_valid_utf8(slice.name), kMaxNameChars);
    entry["slices"].push_back({{"name", name},
                               {"start_us", us(slice.start_ns - origin_ns)},
                               {"dur_us", us(slice.dur_ns)},
                               {"depth", slice.depth},
                               {"table", slice.table},
                               {"id", slice.row}});
    out.text += "  " + std::string(2 * std::min<size_t>(slice.depth, 10), ' ') + name + "  at " +
                instant(slice.start_ns - origin_ns) + " for " + three_digits(us(slice.dur_ns)) + " us\n";
  }
  out.left_out += left_out;
  out.tracks.push_back(std::move(entry));
}

ToolResult no_timeline(const OpenProfile& profile) {
  ToolResult result;
  result.status = Status::not_applicable;
  const std::string input = ingest::input_for(profile.layout, table::track::kTable.name);
  result.body["why"] = "It needs " + input + ", which this profile does not have, or which holds nothing usable.";
  result.missing.push_back({input, "this analysis"});
  return result;
}

void suggest(const Window& window, uint32_t rank, const Shown& shown, ToolResult& result) {
  if (shown.left_out == 0) return;
  const std::string where = " WHERE rank = " + std::to_string(rank) +
                            " AND start_ns >= " + std::to_string(window.start_ns) + " AND start_ns < " +
                            std::to_string(window.end_ns);
  const std::string table = shown.tracks.front()["slices"].empty()
                                ? std::string("host_op")
                                : shown.tracks.front()["slices"].front()["table"].get<std::string>();
  result.next.push_back({"query_sql",
                         {{"sql", "SELECT name, count(*) AS count, sum(dur_ns) / 1e3 AS us FROM " + table + where +
                                      " GROUP BY name ORDER BY us DESC"}},
                         "sums of the slices that were left out"});
}

}  // namespace

Json timeline_declaration() {
  const Json number = {{"type", "number"}};
  return {{"name", "timeline"},
          {"title", "What ran in a window"},
          {"description",
           "What ran between two instants: the busiest threads, streams and communication groups, with their longest "
           "slices and how they nest."},
          {"per", "rank"},
          {"needs", {{table::track::kTable.name}}},
          {"input",
           {{"type", "object"},
            {"required", {"start_us", "end_us"}},
            {"properties",
             {{"start_us", {{"type", "number"}, {"description", "From the profile's origin, as in other answers."}}},
              {"end_us", {{"type", "number"}, {"description", "End of the window, exclusive."}}},
              {"min_us", {{"type", "number"}, {"minimum", 0}, {"description", "Leave out shorter slices."}}},
              {"tracks",
               {{"type", "array"},
                {"items", {{"type", "string"}}},
                {"maxItems", 64},
                {"description", "Only tracks with one of these in their names; default: the 8 busiest."}}},
              {"limit",
               {{"type", "integer"},
                {"minimum", 1},
                {"maximum", limits::kMaxLimitArgument},
                {"default", kDefaultSlices},
                {"description", "Slices of each track, the longest; default 5."}}}}}}},
          {"output",
           {{"type", "object"},
            {"properties",
             {{"tracks",
               {{"type", "array"},
                {"x-role", "data"},
                {"items",
                 {{"type", "object"},
                  {"required", {"name", "slices"}},
                  {"properties", {{"busy_us", number}, {"slices", {{"type", "array"}}}}}}}}}}}}}};
}

Result<ToolResult> timeline(const Json& arguments, CallHost& host) {
  const OpenProfile& profile = *host.profile();
  const uint32_t rank = arguments["ranks"][0].get<uint32_t>();
  if (!ingest::could_have(profile.layout, *profile.find_rank(rank), table::track::kTable.name)) {
    return no_timeline(profile);
  }
  SW_RETURN_IF_ERROR(read_origin(host));
  SW_RETURN_IF_ERROR(host.read(std::span(&rank, 1), table::track::kTable.name));
  const Json& origin = arguments["profile"]["origin_ns"];
  const int64_t origin_ns = origin.is_string() ? to_integer(origin.get<std::string>()).value_or(0) : 0;
  SW_ASSIGN_OR_RETURN(const Window window, window_of(arguments, origin_ns));
  SW_ASSIGN_OR_RETURN(const Timeline timeline, read_timeline(host, rank, window));
  if (timeline.all.start_ns > timeline.all.end_ns) return no_timeline(profile);

  const auto wanted = arguments.find("tracks");
  const auto min_ns = static_cast<int64_t>(std::ceil(std::min(arguments.value("min_us", 0.0), kMostUs) * kNsPerUs));
  Shown shown;
  Json others = Json::array();
  for (const Track& track : timeline.tracks) {
    const bool is_shown =
        wanted != arguments.end() ? is_chosen(track.name, *wanted) : shown.tracks.size() < kTracksShown;
    if (is_shown) {
      show(track, longest(track.slices, min_ns, arguments["limit"].get<size_t>()), window, origin_ns, shown);
    } else if (others.size() < kTracksShown) {
      others.push_back({{"name", track.name}, {"busy_us", us(track.busy_ns)}, {"slice_count", track.slices.size()}});
    }
  }
  ToolResult result;
  result.body["window"] = {{"start_us", us(window.start_ns - origin_ns)}, {"end_us", us(window.end_ns - origin_ns)}};
  result.body["timeline"] = {{"start_us", us(timeline.all.start_ns - origin_ns)},
                             {"end_us", us(timeline.all.end_ns - origin_ns)}};
  result.body["tracks_left_out"] = timeline.tracks.size() - shown.tracks.size();
  if (!others.empty()) result.body["other_tracks"] = others;
  suggest(window, rank, shown, result);
  result.body["tracks"] = std::move(shown.tracks);
  result.text = "times in us from the profile's origin; the timeline runs from " +
                instant(timeline.all.start_ns - origin_ns) + " to " + instant(timeline.all.end_ns - origin_ns) + "\n" +
                shown.text;
  for (const Json& one : others) {
    result.text += "also busy: " + one["name"].get<std::string>() + ", " + three_digits(one["busy_us"]) + " us\n";
  }
  return result;
}

}  // namespace stepwise::engine
