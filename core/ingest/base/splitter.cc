#include "core/ingest/base/splitter.h"

#include "core/base/characters.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace stepwise::ingest {
namespace {

TraceWindow fresh_buffer(size_t capacity, TraceWindow recycled) {
  // A buffer that one long event made large is not kept.
  if (recycled.capacity < capacity || recycled.capacity > 4 * capacity) {
    recycled.bytes = std::make_unique_for_overwrite<char[]>(capacity + TraceWindow::kPaddingBytes);
    recycled.capacity = capacity;
  }
  recycled.events.clear();
  recycled.losses.clear();
  recycled.is_array = true;
  return recycled;
}

}  // namespace

std::string_view TraceWindow::as_array() {
  const size_t begin = events.front().begin - 1, end = events.back().end;
  bytes[begin] = '[';
  bytes[end] = ']';
  return {bytes.get() + begin, end + 1 - begin};
}

EventSplitter::EventSplitter(size_t window_bytes, size_t max_event_bytes, const WantedList& list)
    : window_bytes_(std::max<size_t>(window_bytes, 1) + TraceWindow::kFrontBytes),
      max_event_bytes_(max_event_bytes),
      list_(list),
      top_level_(list.key) {
  window_ = fresh_buffer(window_bytes_, {});
  window_.file_offset = 0 - uint64_t{TraceWindow::kFrontBytes};
}

std::span<char> EventSplitter::room() { return {window_.bytes.get() + size_, window_.capacity - size_}; }

void EventSplitter::commit(size_t count) {
  assert(count <= window_.capacity - size_);
  size_ += count;
  scan();
  if (size_ == window_.capacity && !window_ready()) make_room();
}

void EventSplitter::finish() {
  finished_ = true;
  scan();
}

bool EventSplitter::window_ready() const {
  const bool has_something = !window_.events.empty() || !window_.losses.empty();
  return has_something && (size_ == window_.capacity || finished_);
}

TraceWindow EventSplitter::take(TraceWindow recycled) {
  const size_t from = bytes_needed_from(), kept = size_ - from;
  const size_t capacity = std::max(window_bytes_, 2 * kept + TraceWindow::kFrontBytes);
  TraceWindow next = fresh_buffer(capacity, std::move(recycled));
  std::memcpy(next.bytes.get() + TraceWindow::kFrontBytes, window_.bytes.get() + from, kept);
  next.file_offset = offset_of(from) - TraceWindow::kFrontBytes;
  at_ = at_ - from + TraceWindow::kFrontBytes;
  size_ = kept + TraceWindow::kFrontBytes;
  gap_is_odd_ = false;
  return std::exchange(window_, std::move(next));
}

/// The first byte that is still wanted when the events so far are gone.
size_t EventSplitter::bytes_needed_from() {
  if (state_ == State::event && !too_long_) return at_offset(event_begin_);
  // What the strict look at it needs of a long event's bytes, it gets before they go.
  if (state_ == State::event) feed_checker(std::min(check_at_, offset_of(at_)));
  if (state_ == State::resync && trail_ == Trail::brace) return at_offset(candidate_);
  return at_;
}

/// The buffer is full, and there is no event to give away.
void EventSplitter::make_room() {
  if (state_ == State::event && !too_long_ && offset_of(at_) - event_begin_ > max_event_bytes_) {
    too_long_ = true;
    lose(Diag::event_too_long, event_begin_, "");
  }
  const size_t from = bytes_needed_from(), kept = size_ - from;
  if (kept + TraceWindow::kFrontBytes > window_.capacity / 2) {
    TraceWindow larger = fresh_buffer(2 * window_.capacity, {});
    std::memcpy(larger.bytes.get() + from, window_.bytes.get() + from, kept);
    window_.bytes = std::move(larger.bytes);
    window_.capacity = larger.capacity;
    return;
  }
  std::memmove(window_.bytes.get() + TraceWindow::kFrontBytes, window_.bytes.get() + from, kept);
  window_.file_offset += from - TraceWindow::kFrontBytes;
  at_ = at_ - from + TraceWindow::kFrontBytes;
  size_ = kept + TraceWindow::kFrontBytes;
}

void EventSplitter::scan() {
  for (;;) {
    bool changed = false;
    switch (state_) {
      case State::start:
        changed = scan_start();
        break;
      case State::keys:
        changed = scan_keys();
        break;
      case State::between:
        changed = scan_between();
        break;
      case State::event:
        changed = scan_event();
        break;
      case State::foreign:
        changed = scan_foreign();
        break;
      case State::resync:
        changed = scan_resync();
        break;
      case State::after:
        changed = scan_after();
        break;
      case State::gave_up:
        at_ = size_;
        return;
    }
    if (changed) continue;
    if (!finished_) return;
    end_of_bytes();
  }
}

bool EventSplitter::scan_start() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (offset_of(at_) == 0) {
    const std::string_view head = rest().substr(0, kByteOrderMark.size());
    if (head.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(head) && !finished_) return false;
    if (head == kByteOrderMark) at_ += kByteOrderMark.size();
  }
  while (at_ < size_ && is_blank(window_.bytes[at_])) ++at_;
  if (at_ == size_) return false;
  const char c = window_.bytes[at_];
  if (c != '[' && c != '{') {
    give_up(Diag::file_wrong_format, offset_of(at_), "It begins with neither [ nor {.");
    return true;
  }
  ++at_;
  is_object_ = c == '{';
  is_trace_ = c == '[';
  state_ = is_object_ ? State::keys : State::between;
  return true;
}

bool EventSplitter::scan_keys() {
  const TopLevelObject::Step step = top_level_.feed(rest());
  at_ += step.taken;
  switch (step.event) {
    case TopLevelObject::Event::need_more:
      return false;
    case TopLevelObject::Event::array_begins:
      is_trace_ = true;
      comma_seen_ = element_seen_ = foreign_seen_ = false;
      state_ = State::between;
      return true;
    case TopLevelObject::Event::not_an_array:
      lose(Diag::json_shape, offset_of(at_), list_.is_no_list);
      return true;
    case TopLevelObject::Event::closed:
      if (is_trace_) {
        state_ = State::after;
      } else {
        give_up(Diag::file_wrong_format, 0, list_.is_missing);
      }
      return true;
    case TopLevelObject::Event::broken:
      break;
  }
  give_up(is_trace_ ? Diag::json_syntax : Diag::file_wrong_format, offset_of(at_), "");
  return true;
}

bool EventSplitter::scan_between() {
  for (; at_ < size_; ++at_) {
    const char c = window_.bytes[at_];
    if (is_blank(c)) continue;
    if (c == ',') {
      gap_is_odd_ = gap_is_odd_ || comma_seen_ || !element_seen_;
      comma_seen_ = true;
      foreign_seen_ = false;
      continue;
    }
    if (c == '{' && !foreign_seen_) {
      gap_is_odd_ = gap_is_odd_ || (element_seen_ && !comma_seen_);
      begin_event(at_);
      return true;
    }
    gap_is_odd_ = true;
    if (c == ']') {
      ++at_;
      if (is_object_) top_level_.array_ended();
      state_ = is_object_ ? State::keys : State::after;
      return true;
    }
    if (c == '[') {
      // A list among the events is more likely damage before an event than a list: its '[' alone is lost then.
      const Ahead ahead = look_ahead();
      if (ahead == Ahead::unknown) return false;
      if (ahead == Ahead::event) {
        if (!foreign_seen_) lose(Diag::event_bad, offset_of(at_), "A bracket stands before an event.");
        continue;
      }
    }
    event_begin_ = offset_of(at_);
    if (element_seen_ && !comma_seen_) {
      // No element can begin here.
      if (!foreign_seen_) lose(Diag::event_bad, event_begin_, "Something stands between events.");
      resync_from(event_begin_, false);
      if (c == '{') trail_ = Trail::comma;
      return true;
    }
    checker_.restart();
    state_ = State::foreign;
    return true;
  }
  return false;
}

/// What follows the byte at hand within a short distance.
EventSplitter::Ahead EventSplitter::look_ahead() const {
  constexpr size_t kFar = 64;
  const std::string_view ahead = rest().substr(1, kFar);
  const size_t next = ahead.find_first_not_of(" \t\r\n");
  if (next != ahead.npos) return ahead[next] == '{' ? Ahead::event : Ahead::other;
  return ahead.size() < kFar && !finished_ ? Ahead::unknown : Ahead::other;
}

bool EventSplitter::scan_foreign() {
  const JsonChecker::Step step = checker_.feed(rest());
  at_ += step.taken;
  if (step.verdict == JsonChecker::Verdict::open) return false;
  if (step.verdict == JsonChecker::Verdict::broken) {
    lose(Diag::event_bad, event_begin_, "Something stands between events.");
    resync_from(offset_of(at_), false);
    return true;
  }
  lose(Diag::event_bad, event_begin_, "An element of the list of events is no object.");
  element_seen_ = foreign_seen_ = true;
  comma_seen_ = false;
  state_ = State::between;
  return true;
}

/// Looks for `, { "`, which nothing but an event's begin looks like (but for objects in a list inside an event).
bool EventSplitter::scan_resync() {
  constexpr uint64_t kMaxGap = 4096;  // a candidate's bytes are kept: not any number of blanks
  for (; at_ < size_; ++at_) {
    const char c = window_.bytes[at_];
    if (is_blank(c)) {
      if (trail_ == Trail::brace && offset_of(at_) - candidate_ > kMaxGap) trail_ = Trail::nothing;
      continue;
    }
    if (trail_ == Trail::brace && c == '"') {
      begin_event(at_offset(candidate_));
      return true;
    }
    if (trail_ == Trail::comma && c == '{') {
      trail_ = Trail::brace;
      candidate_ = offset_of(at_);
    } else {
      trail_ = c == ',' ? Trail::comma : Trail::nothing;
    }
  }
  return false;
}

bool EventSplitter::scan_after() {
  while (at_ < size_ && is_blank(window_.bytes[at_])) ++at_;
  if (at_ == size_) return false;
  give_up(Diag::json_syntax, offset_of(at_), "Something follows the end of the trace.");
  return true;
}

void EventSplitter::end_of_bytes() {
  switch (state_) {
    case State::start:
      if (offset_of(at_) > 0) give_up(Diag::file_wrong_format, 0, "It holds blanks only.");
      break;
    case State::keys:
    case State::between:
      give_up(Diag::file_cut, offset_of(at_), "The JSON has no end.");
      break;
    case State::foreign:
      give_up(Diag::file_cut, event_begin_, "");
      break;
    case State::event:
      if (leave_if_broken(offset_of(size_))) return;
      if (!too_long_ && offset_of(size_) - event_begin_ > max_event_bytes_) {
        lose(Diag::event_too_long, event_begin_, "");
      }
      give_up(Diag::file_cut, event_begin_, "");
      break;
    case State::resync:  // the damage is counted
    case State::after:
    case State::gave_up:
      break;
  }
  state_ = State::gave_up;
}

void EventSplitter::give_up(Diag diag, uint64_t offset, const char* detail) {
  lose(diag, offset, detail);
  state_ = State::gave_up;
}

}  // namespace stepwise::ingest
