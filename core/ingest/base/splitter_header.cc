#include "core/ingest/base/splitter_header.h"

#include "core/base/characters.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kMaxKeyBytes = 256;  // a longer one is cut; it is none that anybody asks for
constexpr size_t kMaxValues = 1000;   // a file of nothing but keys fills no memory

}  // namespace

TopLevelObject::Step TopLevelObject::feed(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size()) {
    if (expect_ == Expect::inside_value) {
      const Step step = take_value(bytes.substr(at));
      at += step.taken;
      if (step.event != Event::need_more) return {step.event, at};
      continue;
    }
    const char c = bytes[at];
    if (expect_ == Expect::key_text || expect_ == Expect::key_escaped) {
      ++at;
      if (expect_ == Expect::key_text && c == '"') {
        expect_ = Expect::colon;
        continue;
      }
      expect_ = expect_ == Expect::key_text && c == '\\' ? Expect::key_escaped : Expect::key_text;
      if (key_.size() < kMaxKeyBytes) key_ += c;
      continue;
    }
    if (is_blank(c)) {
      ++at;
      continue;
    }
    if (expect_ == Expect::value && !(key_ == list_key_ && c == '[')) {
      checker_.restart();
      value_.clear();
      value_fits_ = true;
      expect_ = Expect::inside_value;
      continue;
    }
    const Event event = take_punctuation(c);
    if (event == Event::broken) return {event, at};
    ++at;
    if (event != Event::need_more) return {event, at};
  }
  return {Event::need_more, at};
}

TopLevelObject::Event TopLevelObject::take_punctuation(char c) {
  switch (expect_) {
    case Expect::key_or_end:
      if (c == '}') return Event::closed;
      [[fallthrough]];
    case Expect::key:
      key_.clear();
      expect_ = Expect::key_text;
      return c == '"' ? Event::need_more : Event::broken;
    case Expect::colon:
      expect_ = Expect::value;
      return c == ':' ? Event::need_more : Event::broken;
    case Expect::value:
      return Event::array_begins;
    case Expect::comma_or_end:
      if (c == '}') return Event::closed;
      expect_ = Expect::key;
      return c == ',' ? Event::need_more : Event::broken;
    default:
      return Event::broken;
  }
}

TopLevelObject::Step TopLevelObject::take_value(std::string_view bytes) {
  const JsonChecker::Step step = checker_.feed(bytes);
  if (step.verdict == JsonChecker::Verdict::broken) return {Event::broken, step.taken};
  value_fits_ = value_fits_ && value_.size() + step.taken <= kMaxValueBytes;
  if (value_fits_) value_.append(bytes.substr(0, step.taken));
  if (step.verdict == JsonChecker::Verdict::open) return {Event::need_more, step.taken};

  expect_ = Expect::comma_or_end;
  if (key_ == list_key_) return {Event::not_an_array, step.taken};
  const size_t more = key_.size() + value_.size();
  if (value_fits_ && values_.size() < kMaxValues && bytes_ + more <= kMaxBytes) {
    values_.emplace_back(key_, value_);
    bytes_ += more;
  } else {
    ++left_out_;
  }
  return {Event::need_more, step.taken};
}

}  // namespace stepwise::ingest
