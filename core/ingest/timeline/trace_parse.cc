// The only reader's file that uses simdjson.
#include "core/ingest/timeline/trace_parse.h"

#include <simdjson.h>

#include <cstring>
#include <string>
#include <utility>

#include "core/base/characters.h"
#include "core/base/text.h"
#include "core/ingest/timeline/trace_interpret.h"

namespace stepwise::ingest {
namespace {

namespace ondemand = simdjson::ondemand;

static_assert(simdjson::SIMDJSON_PADDING <= TraceWindow::kPaddingBytes);

std::string_view without_trailing_blanks(std::string_view token) {
  while (!token.empty() && is_blank(token.back())) token.remove_suffix(1);
  return token;
}

/// The key that stands before the value; `begin` is its first byte.
std::string_view key_before(const char* begin, const char* value) {
  const char* end = value;
  while (end[-1] != ':') --end;
  --end;
  while (end[-1] != '"') --end;
  return {begin, static_cast<size_t>(end - 1 - begin)};
}

/// Up to four bytes of a key, in one number.
constexpr uint32_t key_code(const char (&text)[5]) {
  return static_cast<uint32_t>(text[0]) | static_cast<uint32_t>(text[1]) << 8 | static_cast<uint32_t>(text[2]) << 16 |
         static_cast<uint32_t>(text[3]) << 24;
}

/// Where the value of a key goes; nullptr: nowhere.
std::string_view* field_of(EventFields& fields, const char* key) {
  // An object's key has a quote behind it, and padding behind that: four bytes and one more can be read.
  const auto byte = [key](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(key[i])) << (8 * i); };
  const uint32_t three = byte(0) | byte(1) | byte(2);
  switch (three | byte(3)) {
    case key_code("name"):
      return key[4] == '"' ? &fields.name : nullptr;
    case key_code("pid\""):
      return &fields.pid;
    case key_code("tid\""):
      return &fields.tid;
    case key_code("dur\""):
      return &fields.dur;
    case key_code("cat\""):
      return &fields.category;
    default:
      break;
  }
  constexpr uint32_t kPh = key_code("ph\"x") & 0xFFFFFF, kTs = key_code("ts\"x") & 0xFFFFFF,
                     kId = key_code("id\"x") & 0xFFFFFF;
  return three == kPh ? &fields.ph : three == kTs ? &fields.ts : three == kId ? &fields.id : nullptr;
}

bool is_arguments(const char* key) { return std::memcmp(key, "args\"", 5) == 0; }

simdjson::error_code read_arguments(ondemand::value value, EventFields& fields) {
  ondemand::object object;
  if (const auto error = value.get_object().get(object)) {
    return error == simdjson::INCORRECT_TYPE ? simdjson::SUCCESS : error;  // arguments that are no object: none
  }
  for (auto next : object) {
    ondemand::field field;
    if (const auto error = std::move(next).get(field)) return error;
    const std::string_view token = field.value().raw_json_token();
    std::string_view whole = token;
    if (token.front() == '[') {
      ondemand::array list;
      if (const auto error = field.value().get_array().get(list)) return error;
      if (const auto error = list.raw_json().get(whole)) return error;
    }
    fields.arguments.push_back({key_before(field.key().raw(), token.data()), without_trailing_blanks(whole)});
  }
  return simdjson::SUCCESS;
}

simdjson::error_code read_fields(ondemand::object object, EventFields& fields) {
  fields.clear();
  for (auto next : object) {
    ondemand::field field;
    if (const auto error = std::move(next).get(field)) return error;
    const char* const key = field.key().raw();
    if (std::string_view* const into = field_of(fields, key)) {
      *into = without_trailing_blanks(field.value().raw_json_token());
    } else if (is_arguments(key)) {
      if (const auto error = read_arguments(field.value(), fields)) return error;
    }
  }
  return simdjson::SUCCESS;
}

}  // namespace

struct WindowParser::Impl {
  Impl(unsigned parser_number, MakeInterpreter* make) : number(parser_number), interpreter(make()) {}

  bool parse_as_array(TraceWindow& window);
  void parse_one_by_one(const TraceWindow& window);
  void parse_event(std::string_view text, uint32_t position);
  simdjson::error_code read_event(std::string_view text, size_t readable);

  const unsigned number;
  ondemand::parser parser;
  EventFields fields;
  const std::unique_ptr<EventInterpreter> interpreter;
  std::string repaired;
};

/// False: something in it does not parse, or is no UTF-8; what was taken is void.
bool WindowParser::Impl::parse_as_array(TraceWindow& window) {
  const std::string_view text = window.as_array();
  ondemand::document document;
  ondemand::array array;
  const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
  if (parser.iterate(padded).get(document) || document.get_array().get(array)) return false;
  size_t count = 0;
  for (auto element : array) {
    ondemand::object object;
    if (element.get_object().get(object) || count == window.events.size() || read_fields(object, fields)) return false;
    interpreter->take(fields, window.events[count++].begin);
  }
  return count == window.events.size();
}

void WindowParser::Impl::parse_one_by_one(const TraceWindow& window) {
  for (size_t i = 0; i < window.events.size(); ++i) parse_event(window.event(i), window.events[i].begin);
}

void WindowParser::Impl::parse_event(std::string_view text, uint32_t position) {
  simdjson::error_code error = read_event(text, text.size() + simdjson::SIMDJSON_PADDING);
  if (error == simdjson::UTF8_ERROR) {
    interpreter->lose(Diag::text_not_utf8, position, "");
    repaired = to_valid_utf8(text);
    const size_t length = repaired.size();
    repaired.append(TraceWindow::kPaddingBytes, ' ');
    error = read_event({repaired.data(), length}, repaired.size());
  }
  if (error) {
    interpreter->lose(Diag::event_bad, position, "It is no JSON.");
  } else {
    interpreter->take(fields, position);
  }
}

simdjson::error_code WindowParser::Impl::read_event(std::string_view text, size_t readable) {
  ondemand::document document;
  ondemand::object object;
  const simdjson::padded_string_view padded(text.data(), text.size(), readable);
  if (const auto error = parser.iterate(padded).get(document)) return error;
  if (const auto error = document.get_object().get(object)) return error;
  return read_fields(object, fields);
}

WindowParser::WindowParser(unsigned number, MakeInterpreter* make) : impl_(std::make_unique<Impl>(number, make)) {}
WindowParser::~WindowParser() = default;

void WindowParser::parse(TraceWindow& window, WindowEvents& out) {
  out.parser = impl_->number;
  out.file_offset = window.file_offset;
  out.losses.assign(window.losses.begin(), window.losses.end());
  impl_->interpreter->begin_window(out);
  const bool whole = !window.events.empty() && window.is_array && impl_->parse_as_array(window);
  if (!whole) {
    impl_->interpreter->restart_window();
    impl_->parse_one_by_one(window);
  }
  impl_->interpreter->end_window();

  // What one long event made the parser hold is given back.
  constexpr size_t kKeptBytes = 4 * limits::kTraceWindowBytes;
  if (impl_->parser.capacity() > kKeptBytes) impl_->parser = ondemand::parser();
}

}  // namespace stepwise::ingest
