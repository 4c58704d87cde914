// The splitter inside an event: where nearly all bytes of a trace are.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/characters.h"
#include "core/ingest/base/splitter.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kBlockBytes = 64;
// A real event is shorter. A longer one may be a real one, or what a damaged string or bracket swallows: every so many
// bytes it is looked at strictly.
constexpr uint64_t kCheckEveryBytes = 64 << 10;
// How much may be scanned twice on the way back to where the damage was: so that a file of nothing but damage costs
// linear time too.
constexpr uint64_t kRescanBytes = 16 << 20, kRescanPerByte = 2;

}  // namespace

/// From any other state.
void EventSplitter::begin_event(size_t at) {
  start_event(at);
  at_ = at;
  strings_ = {};
  depth_ = 0;
  state_ = State::event;
}

void EventSplitter::start_event(size_t at) {
  if (gap_is_odd_ && !window_.events.empty()) window_.is_array = false;
  gap_is_odd_ = false;
  comma_seen_ = foreign_seen_ = false;
  element_seen_ = true;
  too_long_ = false;
  is_broken_ = false;
  event_begin_ = checked_to_ = offset_of(at);
  check_at_ = event_begin_ + kCheckEveryBytes;
}

bool EventSplitter::scan_event() {
  const char* const bytes = window_.bytes.get();
  while (at_ < size_) {
    const size_t block_begin = at_, left = size_ - at_;
    const char* block = bytes + block_begin;
    char padded[kBlockBytes];
    if (left < kBlockBytes) {
      if (!finished_) return false;
      std::memset(padded, ' ', sizeof padded);
      std::memcpy(padded, block, left);
      block = padded;
    }
    at_ += std::min(left, kBlockBytes);

    const Brackets brackets = strings_.outside_strings(character_masks(block));
    uint64_t bits = brackets.open | brackets.close;
    while (bits != 0) {
      const uint64_t bit = bits & (0 - bits);
      bits ^= bit;
      if ((brackets.open & bit) != 0) {
        ++depth_;
        continue;
      }
      if (--depth_ != 0) continue;

      const size_t end = block_begin + static_cast<size_t>(std::countr_zero(bit)) + 1;
      if (offset_of(end) > check_at_ && leave_if_broken(check_at_)) return true;
      if (bytes[end - 1] != '}' && leave_if_broken(offset_of(end))) return true;
      const size_t next = end_event(end);
      if (next == 0) {
        state_ = State::between;
        at_ = end;
        return true;
      }
      start_event(next);
      if (next >= at_) {
        // Not in this block: go on at the event's begin, with nothing to remember.
        at_ = next;
        strings_ = {};
        break;
      }
      depth_ = 1;
      bits &= ~uint64_t{1} << (next - block_begin);
    }
    if (offset_of(at_) > check_at_ && leave_if_broken(check_at_)) return true;
  }
  return false;
}

/// Where the next event begins, if the usual `,` or `, ` stands between; else 0.
size_t EventSplitter::end_event(size_t end) {
  if (offset_of(end) - event_begin_ > max_event_bytes_) {
    if (!too_long_) lose(Diag::event_too_long, event_begin_, "");
    too_long_ = false;
    gap_is_odd_ = true;
  } else {
    window_.events.push_back({static_cast<uint32_t>(at_offset(event_begin_)), static_cast<uint32_t>(end)});
  }
  const char* const bytes = window_.bytes.get();
  if (end + 2 < size_ && bytes[end] == ',') {
    const size_t next = end + (bytes[end + 1] == ' ' ? 2 : 1);
    if (bytes[next] == '{') return next;
  }
  return 0;
}

/// The strict look at the event up to the checkpoint. If it cannot become one: counts it, and goes back to where it
/// broke. Whether and where depends on the bytes alone, not on how they came.
bool EventSplitter::leave_if_broken(uint64_t checkpoint) {
  feed_checker(checkpoint);
  if (!is_broken_) {
    check_at_ = checkpoint + kCheckEveryBytes;
    return false;
  }
  const bool is_long = checkpoint - event_begin_ > max_event_bytes_;
  if (!too_long_) {
    lose(is_long ? Diag::event_too_long : Diag::event_bad, event_begin_,
         is_long ? "" : "Its strings or brackets do not match.");
  }
  const uint64_t again = checkpoint - broken_at_;
  const bool may_go_back = !is_long && scanned_twice_ + again <= kRescanBytes + kRescanPerByte * checkpoint;
  if (may_go_back) scanned_twice_ += again;
  resync_from(may_go_back ? broken_at_ : checkpoint, may_go_back);
  return true;
}

void EventSplitter::feed_checker(uint64_t to) {
  if (to <= checked_to_) return;
  if (checked_to_ == event_begin_) checker_.restart();
  if (!is_broken_) {
    const JsonChecker::Step step =
        checker_.feed({window_.bytes.get() + at_offset(checked_to_), static_cast<size_t>(to - checked_to_)});
    is_broken_ = step.verdict != JsonChecker::Verdict::open;
    broken_at_ = checked_to_ + step.taken;
  }
  checked_to_ = to;
}

void EventSplitter::resync_from(uint64_t offset, bool look_back) {
  at_ = at_offset(offset);
  trail_ = Trail::nothing;
  if (look_back) {
    // A bracket that was never closed shows at the '{' of the next event: its comma lies behind.
    size_t before = at_;
    const size_t begin = at_offset(event_begin_);
    while (before > begin && is_blank(window_.bytes[before - 1])) --before;
    if (before > begin && window_.bytes[before - 1] == ',') trail_ = Trail::comma;
  }
  gap_is_odd_ = true;
  too_long_ = false;
  state_ = State::resync;
}

}  // namespace stepwise::ingest
