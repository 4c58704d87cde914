#include "core/ingest/graph/graph_proto_text.h"

namespace stepwise::ingest {
namespace {

bool is_proto_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }
bool is_proto_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '+' || c == '/';
}
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
bool is_octal(char c) { return c >= '0' && c <= '7'; }

}  // namespace

bool ProtoTextParser::fail(std::string why) {
  if (error_.empty()) error_ = std::move(why);
  return false;
}

bool ProtoTextParser::feed(std::string_view bytes) {
  if (!error_.empty()) return false;
  for (const char c : bytes) {
    if (may_be_mark_ && take_mark(c)) continue;
    if (!error_.empty() || !take(c)) return false;
    if (c == '\n') ++line_;
  }
  return true;
}

/// False: c is no part of a mark.
bool ProtoTextParser::take_mark(char c) {
  if (c == kByteOrderMark[mark_bytes_]) {
    may_be_mark_ = ++mark_bytes_ < kByteOrderMark.size();
    return true;
  }
  may_be_mark_ = false;
  if (mark_bytes_ > 0) fail("It begins with a part of a byte order mark.");
  return false;
}

bool ProtoTextParser::finish() {
  if (!error_.empty() || (may_be_mark_ && mark_bytes_ > 0)) return false;
  // A word at the very end is whole only if a blank could follow.
  if (!take('\n')) return false;
  if (expect_ == Expect::after_text) end_text();
  return frames_.empty() && expect_ == Expect::name && lexing_ == Lexing::between;
}

bool ProtoTextParser::take(char c) {
  switch (lexing_) {
    case Lexing::comment:
      if (c == '\n') lexing_ = Lexing::between;
      return true;
    case Lexing::escape:
      unescape(c);
      return true;
    case Lexing::text:
      if (octal_digits_ > 0 && is_octal(c) && octal_digits_ < 3) {
        octal_ = octal_ * 8 + (c - '0');
        ++octal_digits_;
        return true;
      }
      if (octal_digits_ > 0) {
        keep(static_cast<char>(octal_));
        octal_digits_ = octal_ = 0;
      }
      if (c == '\\') {
        lexing_ = Lexing::escape;
      } else if (c == quote_) {
        lexing_ = Lexing::between;
        expect_ = Expect::after_text;
      } else if (c == '\n') {
        return fail("A text has no closing quote.");
      } else {
        keep(c);
      }
      return true;
    case Lexing::word:
      if (is_proto_word(c)) {
        keep(c);
        return true;
      }
      lexing_ = Lexing::between;
      if (!take_word()) return false;
      break;
    case Lexing::between:
      break;
  }
  return take_between(c);
}

void ProtoTextParser::unescape(char c) {
  lexing_ = Lexing::text;
  if (is_octal(c)) {
    octal_ = c - '0';
    octal_digits_ = 1;
    return;
  }
  switch (c) {
    case 'n':
      return keep('\n');
    case 't':
      return keep('\t');
    case 'r':
      return keep('\r');
    default:  // \" \' \\ and what nobody writes
      return keep(c);
  }
}

bool ProtoTextParser::take_between(char c) {
  if (is_proto_blank(c)) return true;
  if (c == '#') {
    lexing_ = Lexing::comment;
    return true;
  }
  if (c == '"' || c == '\'') {
    if (expect_ != Expect::value && expect_ != Expect::element && expect_ != Expect::after_text) {
      return fail("A text stands where a field's name should.");
    }
    if (expect_ != Expect::after_text) value_.clear();  // else texts in a row are one
    quote_ = c;
    lexing_ = Lexing::text;
    return true;
  }
  if (expect_ == Expect::after_text) end_text();
  if (is_proto_word(c)) {
    value_.assign(1, c);
    lexing_ = Lexing::word;
    if (expect_ == Expect::name) name_line_ = line_;
    return true;
  }
  return take_bracket(c);
}

bool ProtoTextParser::take_bracket(char c) {
  switch (c) {
    case ':':
      if (expect_ != Expect::after_name) return fail("A ':' stands where none belongs.");
      expect_ = Expect::value;
      return true;
    case '{':
    case '<':
      return open_message(c == '{' ? '}' : '>');
    case '[':
      if (expect_ == Expect::name) {
        expect_ = Expect::extension;
        name_line_ = line_;
        return true;
      }
      if (expect_ != Expect::value) return fail("A '[' stands where none belongs.");
      if (frames_.size() >= kMaxDepth) return fail("It is nested deeper than 64 levels.");
      frames_.push_back({']', name_});
      expect_ = Expect::element;
      return true;
    case ']':
      if (expect_ == Expect::extension) {
        expect_ = Expect::after_name;
        return true;
      }
      return close_frame(c);
    case '}':
    case '>':
      return close_frame(c);
    case ',':
    case ';':
      if (expect_ == Expect::name || expect_ == Expect::element) return true;
      return fail("A separator stands where a value should.");
    default:
      return fail("A character stands where none belongs.");
  }
}

bool ProtoTextParser::take_word() {
  switch (expect_) {
    case Expect::name:
    case Expect::extension:
      if (value_.size() > kMaxNameBytes) return fail("A field's name is longer than any real one.");
      name_ = value_;
      if (expect_ == Expect::name) expect_ = Expect::after_name;
      return true;
    case Expect::value:
    case Expect::element:
      listener_.scalar(field(), {value_, false, line_});
      expect_ = next();
      return true;
    case Expect::after_name:
    case Expect::after_text:
      break;
  }
  return fail("A word stands where ':' or '{' should.");
}

void ProtoTextParser::end_text() {
  listener_.scalar(field(), {value_, true, line_});
  expect_ = next();
}

bool ProtoTextParser::open_message(char close) {
  if (expect_ != Expect::after_name && expect_ != Expect::value && expect_ != Expect::element) {
    return fail("A message stands where a field's name should.");
  }
  if (frames_.size() >= kMaxDepth) return fail("It is nested deeper than 64 levels.");
  listener_.begin(field(), expect_ == Expect::element ? line_ : name_line_);
  frames_.push_back({close, ""});
  expect_ = Expect::name;
  return true;
}

bool ProtoTextParser::close_frame(char c) {
  if (expect_ != Expect::name && expect_ != Expect::element) return fail("A value is missing.");
  if (frames_.empty() || frames_.back().close != c) return fail("A bracket closes what was not opened.");
  frames_.pop_back();
  if (c != ']') listener_.end();
  expect_ = next();
  return true;
}

}  // namespace stepwise::ingest
