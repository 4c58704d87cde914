// The fields of one event, still text, into records: numbers exactly, texts by number. An event that lacks what its
// kind needs, or has it in a wrong type, is one counted loss.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/trace_event.h"
#include "core/ingest/trace_text_pool.h"
#include "core/ingest/trace_tracks.h"

namespace stepwise::ingest {

/// Raw JSON tokens of an event, without blanks around them; empty: absent. A nested value shows its bracket only.
struct EventFields {
  struct Argument {
    std::string_view key;    // what stands between the quotes
    std::string_view value;  // token
  };
  std::string_view ph, name, category, pid, tid, ts, dur, id;
  std::vector<Argument> arguments;

  void clear() {
    ph = name = category = pid = tid = ts = dur = id = {};
    arguments.clear();
  }
};

class EventInterpreter {
 public:
  /// Records go to `out`, which is empty but for its losses and outlives the window's events.
  void begin_window(WindowEvents& out);
  /// Forgets what the window gave so far, but not its texts.
  void restart_window();
  void take(const EventFields& fields, uint32_t position);
  void lose(Diag diag, uint32_t position, const char* detail);
  void end_window();

 private:
  void take_slice(const EventFields& fields, uint32_t position);
  void take_samples(const EventFields& fields, uint32_t position);
  void take_flow(const EventFields& fields, uint32_t position, bool is_end);
  void take_name(const EventFields& fields, uint32_t position);
  void take_other(char phase, uint32_t position);

  bool read_track(const EventFields& fields, bool needs_tid, uint32_t& track);
  bool read_time(std::string_view token, uint32_t position, int64_t& ns);
  bool read_arguments(const EventFields& fields, uint32_t position, SliceRecord& slice);
  bool read_category(std::string_view token, SliceRecord& slice);

  WindowEvents* out_ = nullptr;
  size_t losses_before_ = 0;
  TextPool texts_;
  TrackIndex tracks_;
  // The category seen last in the window: neighbours mostly share it.
  std::string last_category_;
  SliceKind last_kind_ = SliceKind::unstated;
  int32_t last_category_text_ = kNoText;
};

}  // namespace stepwise::ingest
