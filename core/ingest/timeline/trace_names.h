// What the timeline's processes are called, what that makes their slices, and the table of tracks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ingest/timeline/trace_event.h"
#include "core/ingest/timeline/trace_tracks.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// Where slices without a category of their own belong.
enum class ProcessRole : uint8_t { unnamed, hardware, communication, runtime, overlap, other };

/// All tracks of a timeline, numbered in the order of first appearance.
class TrackNames {
 public:
  explicit TrackNames(const store::Dictionary& dictionary) : dictionary_(&dictionary) {}

  uint32_t number_of(TrackKey key);
  /// The first name of a track holds. text: a code of the dictionary.
  void set_name(NameRecord::What what, uint32_t track, int32_t text);
  void count_events(uint32_t track, uint64_t events) { tracks_[track].events += events; }

  ProcessRole role(uint32_t track) const { return tracks_[tracks_[track].process].role; }
  /// "": it has none.
  std::string_view process_name(uint32_t track) const { return text(tracks_[tracks_[track].process].name); }
  std::string_view thread_name(uint32_t track) const { return text(tracks_[track].name); }
  const std::vector<TrackKey>& keys() const { return index_.keys(); }

  /// Fills the table track: each process, followed by its threads. A process's events are those of its threads too.
  void finish(store::SegmentBuilder& out) const;

 private:
  struct Track {
    uint32_t process = 0;  // the track of the process itself
    uint64_t events = 0;
    int32_t name = kNoText, labels = kNoText;
    ProcessRole role = ProcessRole::unnamed;
  };
  std::string_view text(int32_t code) const { return code == kNoText ? std::string_view() : dictionary_->at(code); }

  const store::Dictionary* dictionary_;
  TrackIndex index_;
  std::vector<Track> tracks_;
};

/// For slices of processes without a name: what the arguments, the slice's own or the thread's name say.
ProcessRole guess_role(SliceHint hint, std::string_view slice_name, std::string_view thread_name);

}  // namespace stepwise::ingest
