// What one window of a timeline holds, as its parser hands it on. Texts and tracks are numbered within the window's
// parser or the window; the merger gives them their final numbers, window by window in file order.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/splitter.h"

namespace stepwise::ingest {

inline constexpr int64_t kNoNumber = std::numeric_limits<int64_t>::min();
inline constexpr int32_t kNoText = -1;
/// Bounds instants (year 2096), so that sums of two never overflow.
inline constexpr int64_t kMaxTraceNs = 4'000'000'000'000'000'000;

/// What a slice's own category says that it is.
enum class SliceKind : uint8_t {
  unstated,  // no category: its process decides
  host_op,
  python_call,
  enqueue,
  dequeue,
  other,  // a category that no table has
};

/// What its arguments hint at, for a process without a name.
enum class SliceHint : uint8_t { none, hardware, communication, runtime };

/// ph X
struct SliceRecord {
  int64_t start_ns = 0, dur_ns = 0;
  int64_t link_id = kNoNumber;  // as its kind has it: sequence number, Python id, correlation or connection
  int64_t stream = kNoNumber, task_id = kNoNumber, model_id = kNoNumber;
  uint32_t position = 0;  // byte in the window
  uint32_t track = 0;
  int32_t name = 0, category = kNoText, shapes = kNoText, stack = kNoText, task_type = kNoText;
  SliceKind kind = SliceKind::unstated;
  SliceHint hint = SliceHint::none;
};

/// What a Kineto slice is, by its category.
enum class KinetoKind : uint8_t {
  host_op,
  python_call,
  runtime_api,
  kernel,
  copy,
  memset,
  sync,             // the rest: rows of a device that are no work of it
  user_annotation,  // of the host, as the device saw it
  overhead,         // of the profiler
  span,             // of the whole recording
  other,            // a category that no table has, or none
};

/// ph X of a Kineto trace. link_id: sequence number, Python id, or correlation.
struct KinetoSlice : SliceRecord {
  KinetoKind what = KinetoKind::other;
  int64_t external_id = kNoNumber;  // a host operator's own; others': of the operator that caused them
  int64_t record_id = kNoNumber;    // a host operator's: the id of the call in an execution trace of the same run
  int64_t device = kNoNumber, bytes = kNoNumber;
  int32_t group = kNoText;            // process group of a collective, by its name
  bool has_device_arguments = false;  // of what no table has: it looks like a device's row
};

/// ProfilerStep#N; its slice is among the slices too.
struct StepRecord {
  int64_t step = 0, start_ns = 0, dur_ns = 0;
  uint32_t track = 0, position = 0;
};

/// ph C, one for each series
struct SampleRecord {
  int64_t ts_ns = 0;
  double value = 0;
  int32_t name = 0, series = 0;
  uint32_t track = 0, position = 0;
};

/// ph s or f
struct FlowRecord {
  int64_t ts_ns = 0;
  uint64_t id = 0;  // a number below 2^63 itself; any other text by its hash, with the highest bit set
  int32_t kind = 0;
  uint32_t track = 0, position = 0;
  bool is_end = false;
};

/// ph M
struct NameRecord {
  enum class What : uint8_t { process_name, process_labels, thread_name };
  What what = What::process_name;
  uint32_t track = 0;
  int32_t text = 0;
};

/// A thread; a process itself has no tid.
struct TrackKey {
  int64_t pid = 0, tid = kNoNumber;
  friend bool operator==(const TrackKey&, const TrackKey&) = default;
};

/// Texts that the window's parser met for the first time, in order of appearance: they get the next numbers.
struct FreshTexts {
  bool restarted = false;  // the parser forgot its earlier ones: numbers begin at 0 again
  std::string bytes;
  std::vector<size_t> ends;
};

/// Events of phases that no table has.
struct OtherPhases {
  std::array<uint64_t, 128> count{};
  uint64_t total = 0;
  uint64_t first_offset = 0;
  uint64_t begin_end = 0;  // of phases B and E
  uint64_t first_begin_end = 0;
};

struct WindowEvents {
  unsigned parser = 0;       // whose numbers the texts have
  uint64_t file_offset = 0;  // of position 0
  FreshTexts fresh;
  std::vector<TrackKey> tracks;
  std::vector<uint64_t> sample_events;  // of each track: events of phase C, whatever number of series they have
  std::vector<SliceRecord> slices;      // of an Ascend trace
  std::vector<KinetoSlice> kineto_slices;
  std::vector<StepRecord> steps;
  std::vector<SampleRecord> samples;
  std::vector<FlowRecord> flows;
  std::vector<NameRecord> names;
  std::vector<Loss> losses;  // the parser's and the splitter's, by offset
  OtherPhases others;
};

}  // namespace stepwise::ingest
