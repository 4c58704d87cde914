// The fields of one event, still text, into records: numbers exactly, texts by number. An event that lacks what its
// kind needs, or has it in a wrong type, is one counted loss. What a slice's category and arguments mean is each
// profiler's own.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/ingest/timeline/trace_event.h"
#include "core/ingest/timeline/trace_text_pool.h"
#include "core/ingest/timeline/trace_tracks.h"

namespace stepwise::ingest {

/// Raw JSON tokens of an event, without blanks around them; empty: absent. Of a nested value only a list among the
/// arguments is whole; others show their bracket.
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

inline bool is_string(std::string_view token) {
  return token.size() >= 2 && token.front() == '"' && token.back() == '"';
}
inline std::string_view inside(std::string_view string_token) {
  return string_token.substr(1, string_token.size() - 2);
}
/// Exporters write numbers as numbers or as strings.
inline std::string_view bare(std::string_view token) { return is_string(token) ? inside(token) : token; }

class EventInterpreter {
 public:
  virtual ~EventInterpreter() = default;

  /// Records go to `out`, which is empty but for its losses and outlives the window's events.
  void begin_window(WindowEvents& out);
  /// Forgets what the window gave so far, but not its texts.
  void restart_window();
  void take(const EventFields& fields, uint32_t position);
  void lose(Diag diag, uint32_t position, const char* detail);
  void end_window();

 protected:
  virtual void take_slice(const EventFields& fields, uint32_t position) = 0;
  /// ph i; false: no table has it.
  virtual bool take_instant(const EventFields& fields, uint32_t position);
  /// What the profiler remembers of the window's events is void.
  virtual void forget_window() = 0;
  /// A pid or tid that is no integer. False: it is none.
  virtual bool read_named_track(const EventFields& fields, bool needs_tid, uint32_t& track);

  /// What every slice has, but for its category. False: it was lost.
  bool read_slice(const EventFields& fields, uint32_t position, SliceRecord& slice);
  /// A host slice may be ProfilerStep#N.
  void note_step(const EventFields& fields, const SliceRecord& slice);
  /// False: it has a bad escape, and the event is lost. One that is no string costs itself only.
  bool read_text(std::string_view token, TextForm form, uint32_t position, int32_t& text);
  void read_integer(std::string_view token, uint32_t position, int64_t& value);

  bool read_track(const EventFields& fields, bool needs_tid, uint32_t& track);
  bool read_time(std::string_view token, uint32_t position, int64_t& ns);
  /// Counters belong to a process. False: the event was lost.
  bool begin_samples(const EventFields& fields, uint32_t position, SampleRecord& sample);
  /// An event gave samples, any number of them.
  void count_sampling(uint32_t track);

  WindowEvents* out_ = nullptr;
  TextPool texts_;
  TrackIndex tracks_;

 private:
  void take_samples(const EventFields& fields, uint32_t position);
  void take_flow(const EventFields& fields, uint32_t position, bool is_end);
  void take_name(const EventFields& fields, uint32_t position);
  void take_other(char phase, uint32_t position);

  size_t losses_before_ = 0;
};

/// Each parser has its own.
using MakeInterpreter = std::unique_ptr<EventInterpreter>();

}  // namespace stepwise::ingest
