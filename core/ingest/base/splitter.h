// Cuts the bytes of a Chrome trace, in chunks of any size, into windows that hold whole events.
//
// Takes a bare array of events, or an object with a list of them (traceEvents) at any place among its keys. Looks at
// brackets and strings only; whether an event means anything is its parser's business. What is no event is counted as a
// loss, with its byte offset, and cutting goes on at the next event boundary. Cost is linear in the bytes, whatever
// they are. The events and losses do not depend on how the bytes come or on the window size. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/ingest/base/diagnostics.h"
#include "core/ingest/base/splitter_check.h"
#include "core/ingest/base/splitter_header.h"
#include "core/ingest/base/splitter_mask.h"

namespace stepwise::ingest {

/// Bytes [begin, end) of its window: from an event's '{' to just past its '}'.
struct EventSpan {
  uint32_t begin = 0, end = 0;
};

struct Loss {
  Diag diag = Diag::event_bad;
  uint64_t offset = 0;      // in the (inflated) file
  const char* detail = "";  // completes the sentence; a literal
};

/// Whole events, and what was lost around them.
struct TraceWindow {
  std::unique_ptr<char[]> bytes;
  size_t capacity = 0;       // of bytes, without the padding behind
  uint64_t file_offset = 0;  // of bytes[0]; the front byte of a file's first window counts as offset -1 (wraps)
  std::vector<EventSpan> events;
  std::vector<Loss> losses;
  bool is_array = true;  // between events stands one comma each

  std::string_view event(size_t i) const { return {bytes.get() + events[i].begin, events[i].end - events[i].begin}; }
  /// The events as one JSON array; only if is_array and there are events. Overwrites the bytes around them.
  std::string_view as_array();

  /// Bytes that may be read (not used) behind the capacity.
  static constexpr size_t kPaddingBytes = 128;
  /// A byte in front, so that there is room for the array's '['.
  static constexpr size_t kFrontBytes = 1;
};

class EventSplitter {
 public:
  explicit EventSplitter(size_t window_bytes = limits::kTraceWindowBytes,
                         size_t max_event_bytes = limits::kMaxTraceEventBytes, const WantedList& list = kTraceEvents);

  /// Where the next bytes go: never empty, unless a window must be taken first.
  std::span<char> room();
  /// So many bytes came.
  void commit(size_t count);
  /// No more will come. A window may be ready after it.
  void finish();

  /// A window should be taken before more bytes are committed.
  bool window_ready() const;
  /// The window, in exchange for one whose buffers may be used again.
  TraceWindow take(TraceWindow recycled = {});

  /// Nothing that comes can matter: the bytes are no trace.
  bool gave_up() const { return state_ == State::gave_up; }
  /// A place for events was found.
  bool is_trace() const { return is_trace_; }
  /// Bytes looked at again on the way back to where damage was: at most 16 MiB + twice the bytes.
  uint64_t scanned_twice() const { return scanned_twice_; }
  /// The other keys of an object trace, so far.
  const TopLevelObject& top_level() const { return top_level_; }

 private:
  enum class State : uint8_t {
    start,    // before the first bracket
    keys,     // among the keys of an object trace
    between,  // before an event, a comma or the array's end
    event,    // inside one
    foreign,  // inside an element that is no event
    resync,   // lost: looking for the next event boundary
    after,    // behind the end
    gave_up,
  };
  // Each goes on as far as it can; true: the state changed, and the new one has its turn.
  bool scan_start();
  bool scan_keys();
  bool scan_between();
  bool scan_event();
  bool scan_foreign();
  bool scan_resync();
  bool scan_after();
  void scan();

  enum class Ahead : uint8_t { unknown, event, other };
  Ahead look_ahead() const;
  void begin_event(size_t at);
  void start_event(size_t at);
  size_t end_event(size_t end);
  bool leave_if_broken(uint64_t checkpoint);
  void feed_checker(uint64_t to);
  void resync_from(uint64_t offset, bool look_back);
  void end_of_bytes();
  void lose(Diag diag, uint64_t offset, const char* detail) { window_.losses.push_back({diag, offset, detail}); }
  size_t bytes_needed_from();
  void make_room();
  uint64_t offset_of(size_t at) const { return window_.file_offset + at; }
  size_t at_offset(uint64_t offset) const { return static_cast<size_t>(offset - window_.file_offset); }
  std::string_view rest() const { return {window_.bytes.get() + at_, size_ - at_}; }
  void give_up(Diag diag, uint64_t offset, const char* detail);

  const size_t window_bytes_, max_event_bytes_;
  const WantedList& list_;
  TraceWindow window_;
  size_t size_ = TraceWindow::kFrontBytes;  // bytes of the window that are filled
  size_t at_ = TraceWindow::kFrontBytes;    // and looked at
  State state_ = State::start;
  bool finished_ = false, is_trace_ = false, is_object_ = false;
  TopLevelObject top_level_;

  // Between events.
  bool comma_seen_ = false;    // since the last element
  bool element_seen_ = false;  // in this array
  bool foreign_seen_ = false;  // the last one was no event, and no comma came yet
  bool gap_is_odd_ = false;    // more or less than a comma since the last event

  // Inside an event (or a foreign element, or lost).
  uint64_t event_begin_ = 0;
  StringTracker strings_;
  int64_t depth_ = 0;
  bool too_long_ = false;  // its bytes are no longer kept
  JsonChecker checker_;    // of a suspiciously long event, or of a foreign element
  uint64_t checked_to_ = 0, check_at_ = 0;
  bool is_broken_ = false;
  uint64_t broken_at_ = 0;
  uint64_t scanned_twice_ = 0;
  enum class Trail : uint8_t { nothing, comma, brace } trail_ = Trail::nothing;  // of an event boundary
  uint64_t candidate_ = 0;
};

}  // namespace stepwise::ingest
