#include "core/ingest/base/splitter_check.h"

#include "core/base/characters.h"

namespace stepwise::ingest {
namespace {

// Letters too: true, false, null, and NaN or Infinity, which a parser will refuse.
bool is_bare(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.';
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

}  // namespace

void JsonChecker::restart() {
  expect_ = Expect::value;
  string_is_key_ = false;
  nesting_.clear();
}

JsonChecker::Step JsonChecker::feed(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    bool value_ended = false;  // a nested or the whole value
    bool not_mine = false;     // the byte ended a bare word, and belongs to what follows
    if (!take(bytes[i], value_ended, not_mine)) return {Verdict::broken, i};
    if (value_ended && nesting_.empty()) return {Verdict::complete, not_mine ? i : i + 1};
    if (not_mine) {
      bool ignored = false;
      if (!take(bytes[i], value_ended, ignored)) return {Verdict::broken, i};
      if (value_ended && nesting_.empty()) return {Verdict::complete, i + 1};
    }
  }
  return {Verdict::open, bytes.size()};
}

bool JsonChecker::take(char c, bool& value_ended, bool& not_mine) {
  switch (expect_) {
    case Expect::string:
      if (c == '"') {
        if (string_is_key_) {
          expect_ = Expect::colon;
        } else {
          value_done(value_ended);
        }
      } else if (c == '\\') {
        expect_ = Expect::escaped;
      }
      return !is_control(c);
    case Expect::escaped:
      expect_ = Expect::string;
      return !is_control(c);
    case Expect::bare_word:
      if (is_bare(c)) return true;
      value_done(value_ended);
      not_mine = true;
      return true;
    default:
      break;
  }
  if (is_blank(c)) return true;
  switch (expect_) {
    case Expect::value_or_end:
      if (c == ']') {
        value_done(value_ended);
        return close(false);
      }
      return begin_value(c);
    case Expect::value:
      return begin_value(c);
    case Expect::key_or_end:
      if (c == '}') {
        value_done(value_ended);
        return close(true);
      }
      [[fallthrough]];
    case Expect::key:
      expect_ = Expect::string;
      string_is_key_ = true;
      return c == '"';
    case Expect::colon:
      expect_ = Expect::value;
      return c == ':';
    case Expect::comma_or_end:
      if (nesting_.empty()) return false;
      if (c == ',') {
        expect_ = nesting_.back() ? Expect::key : Expect::value;
        return true;
      }
      value_done(value_ended);
      return (c == '}' && close(true)) || (c == ']' && close(false));
    default:
      return false;
  }
}

bool JsonChecker::begin_value(char c) {
  if (c == '{' || c == '[') {
    nesting_.push_back(c == '{');
    expect_ = c == '{' ? Expect::key_or_end : Expect::value_or_end;
    return true;
  }
  if (c == '"') {
    expect_ = Expect::string;
    string_is_key_ = false;
    return true;
  }
  expect_ = Expect::bare_word;
  return is_bare(c);
}

bool JsonChecker::close(bool object) {
  if (nesting_.empty() || nesting_.back() != object) return false;
  nesting_.pop_back();
  return true;
}

void JsonChecker::value_done(bool& value_ended) {
  expect_ = Expect::comma_or_end;
  value_ended = true;
}

}  // namespace stepwise::ingest
