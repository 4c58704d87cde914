// Several recordings of the same workers in one directory, as a profiler leaves them that records again and again
// (torch_npu's and PyTorch's `repeat`): host_990_20250101000000000_ascend_pt, worker0.1694128201545.pt.trace.json.
// Ranks of one are no ranks of another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// What the name of a run, a directory or a trace, says of who recorded it and when.
struct RecordingName {
  std::string worker;   // the name without the time: "host_990", "worker0"
  std::string host;     // the worker without the number of its process: "host", "worker0"
  int64_t time_ms = 0;  // of one clock: Unix time, or as if the digits of a date were UTC
};
/// nullopt: it names no time.
std::optional<RecordingName> recording_name(std::string_view path);

/// A run, by its name and the rank that it claims.
struct RecordedRun {
  std::string path;
  std::optional<uint32_t> rank;
};

/// The runs of each recording, by their numbers, the recordings in the order of their times. Cut where the time between
/// two runs is longest, until no worker stands twice in a recording: a rank claimed twice on one host, or where no rank
/// is claimed a process. Runs that claim one rank at one time, or on several hosts, stay together. One recording of all
/// where a name tells no time.
std::vector<std::vector<size_t>> recordings_of(const std::vector<RecordedRun>& runs);

/// Which of them is opened: the one with most runs, of these the last.
size_t recording_to_open(const std::vector<std::vector<size_t>>& recordings);

/// Of a layout with numbered ranks: where some claim a rank that another has, keeps the runs of one recording, and
/// numbers them anew. `runs` names that one by the root, and each of the others' by its own path; a remark says it.
/// Directories that are runs apart are left to choose_run. Returns what was left out, with why.
std::vector<SourceFile> keep_one_recording(ProfileLayout& layout);

}  // namespace stepwise::ingest
