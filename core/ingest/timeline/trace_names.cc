#include "core/ingest/timeline/trace_names.h"

#include <algorithm>

#include "stepwise/tables_host.hpp"

namespace stepwise::ingest {
namespace {

ProcessRole role_of(std::string_view process_name) {
  if (process_name == "Ascend Hardware") return ProcessRole::hardware;
  if (process_name == "HCCL" || process_name == "Communication") return ProcessRole::communication;
  if (process_name == "CANN") return ProcessRole::runtime;
  if (process_name == "Overlap Analysis") return ProcessRole::overlap;
  return ProcessRole::other;
}

}  // namespace

uint32_t TrackNames::number_of(TrackKey key) {
  const uint32_t number = index_.number_of(key);
  if (number < tracks_.size()) return number;
  tracks_.emplace_back();
  tracks_[number].process = key.tid == kNoNumber ? number : number_of({key.pid, kNoNumber});
  return number;
}

void TrackNames::set_name(NameRecord::What what, uint32_t track, int32_t text_code) {
  Track& named = tracks_[track];
  int32_t& name = what == NameRecord::What::process_labels ? named.labels : named.name;
  if (name != kNoText) return;
  name = text_code;
  if (what == NameRecord::What::process_name) named.role = role_of(text(text_code));
}

void TrackNames::finish(store::SegmentBuilder& out) const {
  namespace column = table::track;
  store::TableBuilder& rows = out.table(column::kTable);
  const auto name = [&rows](auto col, int32_t code) {
    if (code == kNoText) {
      rows.null(col);
    } else {
      rows.append_code(col, code);
    }
  };
  // Threads of each process behind it; processes in the order of their first track.
  std::vector<uint64_t> events(tracks_.size());
  std::vector<uint32_t> first(tracks_.size(), UINT32_MAX), order(tracks_.size());
  for (uint32_t i = 0; i < tracks_.size(); ++i) {
    const uint32_t process = tracks_[i].process;
    events[process] += tracks_[i].events;
    if (process != i) events[i] += tracks_[i].events;
    first[process] = std::min(first[process], i);
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const uint32_t process_a = tracks_[a].process, process_b = tracks_[b].process;
    if (process_a != process_b) return first[process_a] < first[process_b];
    if ((a == process_a) != (b == process_b)) return a == process_a;
    return a < b;
  });
  for (const uint32_t i : order) {
    const Track &track = tracks_[i], &process = tracks_[track.process];
    const bool is_thread = track.process != i;
    rows.append(column::pid, keys()[i].pid);
    if (is_thread) {
      rows.append(column::tid, keys()[i].tid);
    } else {
      rows.null(column::tid);
    }
    name(column::process_name, process.name);
    name(column::thread_name, is_thread ? track.name : kNoText);
    name(column::labels, process.labels);
    rows.append(column::events, static_cast<int64_t>(events[i]));
    rows.end_row();
  }
}

ProcessRole guess_role(SliceHint hint, std::string_view slice_name, std::string_view thread_name) {
  switch (hint) {
    case SliceHint::hardware:
      return ProcessRole::hardware;
    case SliceHint::communication:
      return ProcessRole::communication;
    case SliceHint::runtime:
      return ProcessRole::runtime;
    case SliceHint::none:
      break;
  }
  for (const std::string_view kind : {"Computing", "Communication", "Communication(Not Overlapped)", "Free"}) {
    if (slice_name == kind) return ProcessRole::overlap;
  }
  if (thread_name.starts_with("Stream ")) return ProcessRole::hardware;
  if (thread_name.starts_with("Plane ") || thread_name.starts_with("Group ")) return ProcessRole::communication;
  return ProcessRole::unnamed;
}

}  // namespace stepwise::ingest
