#include "core/ingest/base/splitter.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

struct Cut {
  std::vector<std::string> events;
  std::vector<uint64_t> offsets;
  std::vector<std::pair<Diag, uint64_t>> losses;
  bool arrays_hold = true;  // as_array() is the events with one comma between
  std::vector<std::pair<std::string, std::string>> top_level;
  size_t windows = 0;
  uint64_t scanned_twice = 0;

  bool operator==(const Cut& other) const {
    return events == other.events && offsets == other.offsets && losses == other.losses &&
           top_level == other.top_level && arrays_hold && other.arrays_hold;
  }
};

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n') out += c;
  }
  return out;
}

void collect(TraceWindow& window, Cut& cut) {
  ++cut.windows;
  for (const Loss& loss : window.losses) cut.losses.emplace_back(loss.diag, loss.offset);
  std::string array = "[";
  for (size_t i = 0; i < window.events.size(); ++i) {
    cut.events.emplace_back(window.event(i));
    cut.offsets.push_back(window.file_offset + window.events[i].begin);
    array += (i == 0 ? "" : ",") + squeezed(window.event(i));
  }
  if (window.is_array && !window.events.empty()) {
    cut.arrays_hold = cut.arrays_hold && squeezed(window.as_array()) == array + "]";
  }
}

Cut cut(std::string_view text, size_t chunk, size_t window_bytes,
        size_t max_event_bytes = limits::kMaxTraceEventBytes) {
  EventSplitter splitter(window_bytes, max_event_bytes);
  Cut result;
  TraceWindow used;
  while (!text.empty()) {
    const std::span<char> room = splitter.room();
    REQUIRE(!room.empty());
    const size_t n = std::min({room.size(), text.size(), chunk});
    std::memcpy(room.data(), text.data(), n);
    text.remove_prefix(n);
    splitter.commit(n);
    while (splitter.window_ready()) {
      used = splitter.take(std::move(used));
      collect(used, result);
    }
  }
  splitter.finish();
  while (splitter.window_ready()) {
    used = splitter.take(std::move(used));
    collect(used, result);
  }
  result.scanned_twice = splitter.scanned_twice();
  result.top_level = splitter.top_level().values();
  std::sort(result.losses.begin(), result.losses.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  return result;
}

/// Checks that chunks and windows of any size give the same, and returns it.
Cut cut_all_ways(std::string_view text, size_t max_event_bytes = limits::kMaxTraceEventBytes) {
  const Cut whole = cut(text, text.size() + 1, text.size() + 1, max_event_bytes);
  for (const size_t chunk : {size_t{1}, size_t{2}, size_t{3}, size_t{17}, size_t{64}, size_t{65}, size_t{4096}}) {
    for (const size_t window : {size_t{1}, size_t{64}, size_t{100}, size_t{1000}}) {
      if (text.size() > 300'000 && (chunk < 64 || window < 1000)) continue;
      INFO("chunk " << chunk << " window " << window);
      const Cut other = cut(text, chunk, window, max_event_bytes);
      CHECK(other.events == whole.events);
      CHECK(other == whole);
    }
  }
  return whole;
}

using Losses = std::vector<std::pair<Diag, uint64_t>>;
using Texts = std::vector<std::string>;

TEST_CASE("cuts a bare array and an object with traceEvents alike") {
  const std::string a = R"({"ph": "X", "args": {"a": [1, {"b": 2}]}})", b = R"({"ph":"M"})";
  const Cut bare = cut_all_ways("[" + a + ", " + b + "]");
  CHECK(bare.events == Texts{a, b});
  CHECK(bare.offsets == std::vector<uint64_t>{1, 1 + a.size() + 2});
  CHECK(bare.losses.empty());

  const Cut object = cut_all_ways("{\"schemaVersion\": 1, \"x\": {\"traceEvents\": [{}]}, \"traceEvents\": [" + a +
                                  "," + b + "], \"baseTimeNanoseconds\": 17000 , \"traceName\": \"t\\\"\"}\n");
  CHECK(object.events == Texts{a, b});
  CHECK(object.losses.empty());
  CHECK(object.top_level == std::vector<std::pair<std::string, std::string>>{{"schemaVersion", "1"},
                                                                             {"x", "{\"traceEvents\": [{}]}"},
                                                                             {"baseTimeNanoseconds", "17000"},
                                                                             {"traceName", "\"t\\\"\""}});
}

TEST_CASE("keeps small values of other keys only") {
  const std::string big(TopLevelObject::kMaxValueBytes, '7');
  const Cut object = cut_all_ways("{\"big\": \"" + big + "\", \"small\": [1, 2], \"traceEvents\": []}");
  CHECK(object.top_level == std::vector<std::pair<std::string, std::string>>{{"small", "[1, 2]"}});
  CHECK(object.losses.empty());
}

TEST_CASE("takes a pretty-printed trace, with a byte order mark") {
  const Cut pretty = cut_all_ways("\xef\xbb\xbf\n[\n  {\n    \"ph\": \"X\"\n  },\n  {\n    \"ph\": \"M\"\n  }\n]\n");
  CHECK(pretty.events == Texts{"{\n    \"ph\": \"X\"\n  }", "{\n    \"ph\": \"M\"\n  }"});
  CHECK(pretty.losses.empty());
}

TEST_CASE("brackets, quotes and backslashes in strings are text") {
  Texts events;
  std::string text;
  for (int run = 0; run < 70; ++run) {
    // Runs of backslashes of every length, over every block edge; an odd one escapes the quote.
    std::string event = "{\"k\": \"}" + std::string(static_cast<size_t>(run), '\\') + (run % 2 != 0 ? "\"" : "") +
                        "{[\", \"v\": \"\\\"},{\"}";
    text += (run == 0 ? "[" : ", ") + event;
    events.push_back(std::move(event));
  }
  const Cut result = cut_all_ways(text + "]");
  CHECK(result.events == events);
  CHECK(result.losses.empty());
}

TEST_CASE("an empty array is a trace; nothing, an object without events, and other bytes are none") {
  CHECK(cut_all_ways("[]").losses.empty());
  CHECK(cut_all_ways(" [ ] ").losses.empty());
  CHECK(cut_all_ways("{\"traceEvents\":[]}").losses.empty());
  CHECK(cut_all_ways("").losses.empty());
  CHECK(cut_all_ways("{}").losses == Losses{{Diag::file_wrong_format, 0}});
  CHECK(cut_all_ways("  \n").losses == Losses{{Diag::file_wrong_format, 0}});
  CHECK(cut_all_ways("\x7f"
                     "ELF\x01[{\"ph\": \"X\"}]")
            .losses == Losses{{Diag::file_wrong_format, 0}});
  CHECK(cut_all_ways("{\x01\x02").losses == Losses{{Diag::file_wrong_format, 1}});
  const Cut shape = cut_all_ways("{\"traceEvents\": 7}");
  CHECK(shape.events.empty());
  CHECK(shape.losses == Losses{{Diag::file_wrong_format, 0}, {Diag::json_shape, 17}});
}

TEST_CASE("a cut at any byte loses the event that it hits, and says so once") {
  const Texts events{R"({"ph": "X", "name": "a\"}", "args": {"k": [1]}})", R"({"ph": "M"})",
                     R"({"ph": "C", "v": "{"})"};
  const std::string text = "[" + events[0] + ", " + events[1] + ", " + events[2] + "]";
  const uint64_t begins[] = {1, 1 + events[0].size() + 2, 1 + events[0].size() + 2 + events[1].size() + 2};
  for (size_t kept = 1; kept < text.size(); ++kept) {
    const Cut result = cut_all_ways(text.substr(0, kept));
    Texts whole;
    uint64_t place = kept;
    for (size_t i = 0; i < 3; ++i) {
      if (begins[i] + events[i].size() <= kept) {
        whole.push_back(events[i]);
      } else if (begins[i] < kept) {
        place = begins[i];
      }
    }
    CHECK(result.events == whole);
    CHECK(result.losses == Losses{{Diag::file_cut, place}});
  }
}

TEST_CASE("what is no event is one loss, and cutting goes on at the next event") {
  const std::string a = R"({"ph": "X", "n": 1})", b = R"({"ph": "X", "n": 2})", c = R"({"ph": "X", "n": 3})";
  const auto expect = [&](const std::string& text, const Texts& events, uint64_t place) {
    INFO(text);
    const Cut result = cut_all_ways(text);
    CHECK(result.events == events);
    CHECK(result.losses == Losses{{Diag::event_bad, place}});
  };
  for (const char* foreign : {"1", "null", "\"{\\\"}\"", "[1, {\"a\": \"]\"}]", "-1.5e3"}) {
    expect("[" + a + ", " + foreign + ", " + b + "]", {a, b}, a.size() + 3);
    expect("[" + std::string(foreign) + ", " + a + "," + b + "]", {a, b}, 1);
  }
  for (const char* garbage : {"}", "}}]]x", "garbage { here", "\x01\x02\xff", ":", "nul\"l", "{]"}) {
    expect("[" + a + ", " + garbage + ", " + b + ", " + c + "]", {a, b, c}, a.size() + 3);
  }
  // A stray quote behind an event turns strings inside out; so does a missing one inside.
  expect("[" + a + "\", " + b + ", " + c + "]", {a, b, c}, a.size() + 1);
  expect("[" + a + R"(, {"ph": "X, "n": 9}, )" + b + ", " + c + "]", {a, b, c}, a.size() + 3);
  // A bracket in the place of a blank, and one that is missing.
  expect("[" + a + ",[" + b + ", " + c + "]", {a, b, c}, a.size() + 2);
  expect("[" + a + ", [ \n " + b + ", " + c + "]", {a, b, c}, a.size() + 3);
  expect("[" + a + R"(, {"ph": "X", "args": {"n": 9}, )" + b + ", " + c + "]", {a, b, c}, a.size() + 3);
}

TEST_CASE("a comma too many or too few loses nothing") {
  const std::string a = R"({"n": 1})", b = R"({"n": 2})";
  for (const std::string& text : {"[" + a + b + "]", "[" + a + ",," + b + "]", "[," + a + " , " + b + ",]"}) {
    const Cut result = cut_all_ways(text);
    CHECK(result.events == Texts{a, b});
    CHECK(result.losses.empty());
  }
}

TEST_CASE("an event over the limit is skipped and counted, one at it is not") {
  const std::string a = R"({"n": 1})", b = R"({"n": 2})";
  for (const size_t extra : {0, 1, 5000}) {
    const std::string frame = R"({"k": ""})";
    std::string large = R"({"k": ")" + std::string(1000 - frame.size() + extra, 'x') + "\"}";
    REQUIRE(large.size() == 1000 + extra);
    const Cut result = cut_all_ways("[" + a + ", " + large + ", " + b + "]", 1000);
    if (extra == 0) {
      CHECK(result.events == Texts{a, large, b});
      CHECK(result.losses.empty());
    } else {
      CHECK(result.events == Texts{a, b});
      CHECK(result.losses == Losses{{Diag::event_too_long, 11}});
    }
  }
}

TEST_CASE("a missing quote in a long trace loses one event") {
  Texts events;
  std::string text = "[";
  uint64_t damaged_at = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string event = "{\"ph\": \"X\", \"name\": \"op {" + std::to_string(i) + "}\"}";
    if (i != 0) text += ", ";
    if (i == 5'000) {
      damaged_at = text.size();
      text += "{\"ph\": \"X, \"name\": \"damaged\"}";
      continue;
    }
    text += event;
    events.push_back(std::move(event));
  }
  const Cut result = cut_all_ways(text + "]");
  CHECK(result.events == events);
  CHECK(result.losses == Losses{{Diag::event_bad, damaged_at}});
}

TEST_CASE("a file of nothing but damage costs a bounded second look") {
  // Each unclosed event is seen as broken 64 KiB later only. Going back each time would read the file thousands of
  // times.
  std::string text = "[";
  while (text.size() < 6'000'000) text += "{\"a\":{,{\"b\":";
  const Cut result = cut(text, 1 << 16, 1 << 20);
  CHECK(result.events.empty());
  CHECK_FALSE(result.losses.empty());
  CHECK(result.windows < 100);
  CHECK(result.scanned_twice > 10'000'000);
  CHECK(result.scanned_twice <= (16u << 20) + 2 * text.size());
}

TEST_CASE("long but whole events pass, however they are nested") {
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  const std::string wide = "{\"s\": \"" + std::string(200'000, '}') + "\"}";
  const Cut result = cut_all_ways("[" + deep + ", " + wide + "]");
  CHECK(result.events == Texts{deep, wide});
  CHECK(result.losses.empty());
}

TEST_CASE("both ways of finding brackets see the same") {
  std::mt19937 random(7);
  constexpr std::string_view kLikely = "{}[]\"\\,: a\n";
  for (int round = 0; round < 20'000; ++round) {
    char block[64];
    for (char& c : block) {
      c = random() % 4 == 0 ? static_cast<char>(random()) : kLikely[random() % kLikely.size()];
    }
#if defined(__SSE2__)
    CHECK((character_masks_sse2(block) == character_masks_portable(block)));
#endif
  }
}

TEST_CASE("strings and escapes are followed over blocks as byte by byte") {
  std::mt19937 random(11);
  constexpr std::string_view kLikely = "{}[]\"\\\\\\,a";
  for (int round = 0; round < 2'000; ++round) {
    std::string text(64 * 8, ' ');
    for (char& c : text) c = kLikely[random() % kLikely.size()];
    StringTracker tracker;
    bool in_string = false, escaped = false;
    for (size_t at = 0; at < text.size(); at += 64) {
      const Brackets found = tracker.outside_strings(character_masks(text.data() + at));
      Brackets expected;
      for (size_t i = 0; i < 64; ++i) {
        const char c = text[at + i];
        if (!escaped && c == '"') in_string = !in_string;
        if (!in_string && (c == '{' || c == '[')) expected.open |= uint64_t{1} << i;
        if (!in_string && (c == '}' || c == ']')) expected.close |= uint64_t{1} << i;
        escaped = !escaped && c == '\\';
      }
      REQUIRE(found.open == expected.open);
      REQUIRE(found.close == expected.close);
    }
  }
}

TEST_CASE("any bytes give the same events and losses whatever the chunks and windows") {
  std::mt19937 random(5);
  constexpr std::string_view kPieces[] = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          "\"",
                                          "\\",
                                          ",",
                                          ", ",
                                          ": ",
                                          "1",
                                          "x",
                                          " ",
                                          "\n",
                                          "\"a\"",
                                          "{}",
                                          ", {\"a\"",
                                          "\"}, {\"",
                                          "\\\"",
                                          "{\"ph\": \"X\"}",
                                          ", {\"ph\": 1}",
                                          "null"};
  for (int round = 0; round < 150; ++round) {
    std::string text = "[";
    const size_t pieces = random() % 120;
    for (size_t i = 0; i < pieces; ++i) text += kPieces[random() % std::size(kPieces)];
    INFO(text);
    const Cut result = cut_all_ways(text, random() % 2 == 0 ? 50 : 1 << 20);
    CHECK(result.arrays_hold);
  }
}

}  // namespace
}  // namespace stepwise::ingest
