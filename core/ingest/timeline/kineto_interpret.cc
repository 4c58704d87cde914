#include "core/ingest/timeline/kineto_interpret.h"

#include <cctype>
#include <optional>

#include "core/base/hash.h"
#include "core/base/limits.h"

namespace stepwise::ingest {
namespace {

struct KindOfCategory {
  std::string_view category;  // in small letters
  KinetoKind kind;
};
// Old exporters begin them with a capital letter.
constexpr KindOfCategory kKinds[] = {
    {"cpu_op", KinetoKind::host_op},
    {"operator", KinetoKind::host_op},
    {"user_annotation", KinetoKind::host_op},
    {"python_function", KinetoKind::python_call},
    {"python", KinetoKind::python_call},
    {"runtime", KinetoKind::runtime_api},
    {"kernel", KinetoKind::kernel},
    {"gpu_memcpy", KinetoKind::copy},
    {"memcpy", KinetoKind::copy},
    {"gpu_memset", KinetoKind::memset},
    {"memset", KinetoKind::memset},
    {"cuda_sync", KinetoKind::sync},
    {"gpu_user_annotation", KinetoKind::user_annotation},
    {"overhead", KinetoKind::overhead},
    {"trace", KinetoKind::span},
};

KinetoKind kind_of(std::string_view category) {
  std::string small(category);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const KindOfCategory& one : kKinds) {
    if (one.category == small) return one.kind;
  }
  // cuda_runtime, cuda_driver, and what other devices' libraries are called.
  const bool is_call = small.ends_with("_runtime") || small.ends_with("_driver");
  return is_call ? KinetoKind::runtime_api : KinetoKind::other;
}

constexpr unsigned bit(KinetoKind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr unsigned kHostOp = bit(KinetoKind::host_op), kPython = bit(KinetoKind::python_call),
                   kCall = bit(KinetoKind::runtime_api), kSync = bit(KinetoKind::sync),
                   kTransfer = bit(KinetoKind::copy) | bit(KinetoKind::memset),
                   kWork = bit(KinetoKind::kernel) | kTransfer;

enum class Wanted : uint8_t { link_id, external_id, record_id, stream, device, bytes, group, shapes, stack };

struct WantedArgument {
  std::string_view key;
  Wanted what;
  unsigned kinds;  // of slices that it is read for: a stream stands on some host slices too, and means nothing there
};
constexpr WantedArgument kWanted[] = {
    {"correlation", Wanted::link_id, kCall | kWork | kSync},
    {"External id", Wanted::external_id, kHostOp | kWork},
    {"external id", Wanted::external_id, kHostOp | kWork},
    {"Record function id", Wanted::record_id, kHostOp},
    {"stream", Wanted::stream, kWork | kSync},
    {"device", Wanted::device, kWork},
    {"bytes", Wanted::bytes, kTransfer},
    {"Process Group Name", Wanted::group, kHostOp | bit(KinetoKind::kernel)},
    {"Sequence number", Wanted::link_id, kHostOp},
    {"Python id", Wanted::link_id, kPython},
    {"Input Dims", Wanted::shapes, kHostOp},
    {"Call stack", Wanted::stack, kHostOp},
};

/// What only slices of a device have together.
bool has_device_arguments(const EventFields& fields) {
  bool is_correlated = false, is_placed = false;
  for (const EventFields::Argument& argument : fields.arguments) {
    is_correlated = is_correlated || argument.key == "correlation";
    is_placed = is_placed || argument.key == "stream" || argument.key == "device";
  }
  return is_correlated && is_placed;
}

/// Named tracks get numbers below those of real ones, the same in every trace.
int64_t number_of_name(std::string_view name) {
  constexpr uint64_t kMask = 0x7FFFFFFF;
  return -2 - static_cast<int64_t>(hash64(name) & kMask);
}

/// "stream 7" is the thread of stream 7, as newer exporters number it.
std::optional<int64_t> number_of_id(std::string_view token) {
  if (const auto number = token_to_integer(bare(token))) return number;
  if (!is_string(token)) return std::nullopt;
  constexpr std::string_view kStream = "stream ";
  const std::string_view name = inside(token);
  if (name.starts_with(kStream)) {
    if (const auto number = token_to_integer(name.substr(kStream.size()))) return number;
  }
  return number_of_name(name);
}

}  // namespace

void KinetoInterpreter::forget_window() {
  last_category_.clear();
  is_named_.clear();
}

void KinetoInterpreter::take_slice(const EventFields& fields, uint32_t position) {
  KinetoSlice slice;
  if (!read_slice(fields, position, slice)) return;
  if (!read_category(fields.category, slice)) {
    return lose(Diag::event_bad, position, "A slice's category is no string, or has a bad escape.");
  }
  if (!read_arguments(fields, position, slice)) return;
  if ((bit(slice.what) & kWork) != 0) {
    // Device rows stand on the process of their device, and on the thread of their stream.
    const TrackKey& track = tracks_.keys()[slice.track];
    if (slice.device == kNoNumber && track.pid >= 0) slice.device = track.pid;
    if (slice.stream == kNoNumber && track.tid >= 0) slice.stream = track.tid;
  }
  if (slice.what == KinetoKind::other) slice.has_device_arguments = has_device_arguments(fields);
  out_->kineto_slices.push_back(slice);
  if (slice.what == KinetoKind::host_op) note_step(fields, slice);
}

/// [memory]: what the allocator of a device gave or took back, and what it holds after that.
bool KinetoInterpreter::take_instant(const EventFields& fields, uint32_t position) {
  if (fields.name != "\"[memory]\"") return false;
  SampleRecord sample;
  if (!begin_samples(fields, position, sample)) return true;
  int64_t device = kNoNumber, type = kNoNumber;
  for (const EventFields::Argument& argument : fields.arguments) {
    if (argument.key == "Device Id") read_integer(argument.value, position, device);
    if (argument.key == "Device Type") read_integer(argument.value, position, type);
  }
  const bool is_host = type == 0 || device < 0;
  sample.name = texts_.number_of(is_host ? std::string("[memory] CPU") : "[memory] device " + std::to_string(device));
  bool has_any = false;
  for (const EventFields::Argument& argument : fields.arguments) {
    if (argument.key != "Bytes" && argument.key != "Total Allocated" && argument.key != "Total Reserved") continue;
    int64_t bytes = 0;
    read_integer(argument.value, position, bytes);
    if (bytes == kNoNumber) continue;
    sample.series = texts_.number_of(argument.key);
    sample.value = static_cast<double>(bytes);
    out_->samples.push_back(sample);
    has_any = true;
  }
  if (has_any) count_sampling(sample.track);
  return true;
}

/// A process or thread whose id is a text is called so.
bool KinetoInterpreter::read_named_track(const EventFields& fields, bool needs_tid, uint32_t& track) {
  const auto pid = number_of_id(fields.pid);
  const auto tid = needs_tid ? number_of_id(fields.tid) : std::optional<int64_t>(kNoNumber);
  if (!pid || !tid) return false;
  track = tracks_.number_of({*pid, *tid});
  name_track(NameRecord::What::process_name, tracks_.number_of({*pid, kNoNumber}), fields.pid);
  if (needs_tid) name_track(NameRecord::What::thread_name, track, fields.tid);
  return true;
}

/// Once in a window.
void KinetoInterpreter::name_track(NameRecord::What what, uint32_t track, std::string_view token) {
  if (track >= is_named_.size()) is_named_.resize(track + 1);
  if (is_named_[track] || !is_string(token) || token_to_integer(inside(token))) return;
  is_named_[track] = true;
  const int32_t text = texts_.number_of(inside(token));
  if (text != kNoText) out_->names.push_back({what, track, text});
}

bool KinetoInterpreter::read_category(std::string_view token, KinetoSlice& slice) {
  if (token.empty() || token == "\"\"") return true;
  if (token != last_category_) {
    last_category_ = token;
    last_category_text_ = is_string(token) ? texts_.number_of(inside(token)) : kNoText;
    last_kind_ = is_string(token) ? kind_of(inside(token)) : KinetoKind::other;
  }
  slice.category = last_category_text_;
  slice.what = last_kind_;
  return slice.category != kNoText;
}

bool KinetoInterpreter::read_arguments(const EventFields& fields, uint32_t position, KinetoSlice& slice) {
  for (const EventFields::Argument& argument : fields.arguments) {
    const WantedArgument* wanted = nullptr;
    for (const WantedArgument& one : kWanted) {
      if ((one.kinds & bit(slice.what)) != 0 && one.key == argument.key) wanted = &one;
    }
    if (wanted == nullptr || argument.value == "null") continue;
    switch (wanted->what) {
      case Wanted::link_id:
        read_integer(argument.value, position, slice.link_id);
        if (slice.link_id == -1) slice.link_id = kNoNumber;  // none
        break;
      case Wanted::external_id:
        read_integer(argument.value, position, slice.external_id);
        break;
      case Wanted::record_id:
        read_integer(argument.value, position, slice.record_id);
        if (slice.record_id == 0) slice.record_id = kNoNumber;  // nothing recorded calls
        break;
      case Wanted::stream:
        read_integer(argument.value, position, slice.stream);
        break;
      case Wanted::device:
        read_integer(argument.value, position, slice.device);
        break;
      case Wanted::bytes:
        read_integer(argument.value, position, slice.bytes);
        if (slice.bytes != kNoNumber && (slice.bytes < 0 || slice.bytes > limits::kMaxCount)) {
          slice.bytes = kNoNumber;
          lose(Diag::json_shape, position, "A copy's bytes are negative, or more than a trillion.");
        }
        break;
      case Wanted::group:
        if (argument.value != "\"\"" && !read_text(argument.value, TextForm::plain, position, slice.group))
          return false;
        break;
      case Wanted::shapes:
        if (!read_shapes(argument.value, position, slice)) return false;
        break;
      case Wanted::stack:
        if (argument.value != "\"\"" && !read_text(argument.value, TextForm::lines, position, slice.stack))
          return false;
        break;
    }
  }
  return true;
}

/// A list of lists of sizes; in a text, as Ascend has it, too.
bool KinetoInterpreter::read_shapes(std::string_view token, uint32_t position, KinetoSlice& slice) {
  if (is_string(token)) return read_text(token, TextForm::one_line, position, slice.shapes);
  slice.shapes = texts_.number_of(token, TextForm::shapes);
  if (slice.shapes == kNoText) lose(Diag::json_shape, position, "Input Dims of a slice are no lists of integers.");
  return true;
}

std::unique_ptr<EventInterpreter> make_kineto_interpreter() { return std::make_unique<KinetoInterpreter>(); }

}  // namespace stepwise::ingest
