#include "tests/bench/trace_baseline.h"

#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace stepwise::bench {
namespace {

using simdjson::error_code;
namespace ondemand = simdjson::ondemand;

[[noreturn]] void fail(const char* what, error_code error) {
  std::fprintf(stderr, "%s: %s\n", what, simdjson::error_message(error));
  std::exit(1);
}

struct Sums {
  uint64_t characters = 0, integers = 0;
  double durations = 0;
};

void take_text(ondemand::object& event, const char* key, Sums& sums) {
  std::string_view text;
  if (!event[key].get_string().get(text)) sums.characters += text.size();
}

void take_integer(ondemand::object& event, const char* key, Sums& sums) {
  int64_t integer = 0;
  if (!event[key].get_int64().get(integer)) sums.integers += static_cast<uint64_t>(integer);
}

}  // namespace

uint64_t read_six_fields(const std::filesystem::path& path) {
  simdjson::padded_string json;
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array events;
  if (const auto error = simdjson::padded_string::load(path.string()).get(json)) fail("loading", error);
  if (const auto error = parser.iterate(json).get(document)) fail("parsing", error);
  if (const auto error = document.get_array().get(events)) fail("events", error);
  Sums sums;
  for (auto element : events) {
    ondemand::object event;
    if (const auto error = element.get_object().get(event)) fail("event", error);
    take_text(event, "name", sums);
    take_text(event, "ph", sums);
    take_text(event, "ts", sums);
    double duration = 0;
    if (!event["dur"].get_double().get(duration)) sums.durations += duration;
    take_integer(event, "pid", sums);
    take_integer(event, "tid", sums);
  }
  return sums.characters + sums.integers + static_cast<uint64_t>(sums.durations);
}

}  // namespace stepwise::bench
