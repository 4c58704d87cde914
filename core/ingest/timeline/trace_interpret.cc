#include "core/ingest/timeline/trace_interpret.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/decimal.h"
#include "core/base/hash.h"
#include "core/base/limits.h"
#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

bool is_number_like(std::string_view token) {
  return !token.empty() && (token.front() == '-' || (token.front() >= '0' && token.front() <= '9'));
}

std::optional<int64_t> step_number(std::string_view raw_name) {
  constexpr std::string_view kPrefix = "ProfilerStep#";
  if (!raw_name.starts_with(kPrefix)) return std::nullopt;
  return token_to_integer(raw_name.substr(kPrefix.size()));
}

}  // namespace

void EventInterpreter::begin_window(WindowEvents& out) {
  out_ = &out;
  losses_before_ = out.losses.size();
  texts_.begin_window(out.fresh);
  restart_window();
}

void EventInterpreter::restart_window() {
  WindowEvents& out = *out_;
  tracks_.clear();
  forget_window();
  out.slices.clear();
  out.kineto_slices.clear();
  out.steps.clear();
  out.samples.clear();
  out.sample_events.clear();
  out.flows.clear();
  out.names.clear();
  out.losses.resize(losses_before_);
  out.others = {};
}

void EventInterpreter::end_window() {
  out_->tracks = tracks_.keys();
  out_->sample_events.resize(out_->tracks.size());
  std::stable_sort(out_->losses.begin(), out_->losses.end(),
                   [](const Loss& a, const Loss& b) { return a.offset < b.offset; });
}

void EventInterpreter::lose(Diag diag, uint32_t position, const char* detail) {
  out_->losses.push_back({diag, out_->file_offset + position, detail});
}

void EventInterpreter::take(const EventFields& fields, uint32_t position) {
  if (fields.ph.size() != 3 || !is_string(fields.ph)) {
    lose(Diag::event_bad, position, "It has no phase (ph).");
    return;
  }
  const char phase = fields.ph[1];
  switch (phase) {
    case 'X':
      return take_slice(fields, position);
    case 'C':
      return take_samples(fields, position);
    case 's':
    case 'f':
      return take_flow(fields, position, phase == 'f');
    case 'M':
      return take_name(fields, position);
    case 'i':
      if (take_instant(fields, position)) return;
      [[fallthrough]];
    default:
      return take_other(phase, position);
  }
}

bool EventInterpreter::read_slice(const EventFields& fields, uint32_t position, SliceRecord& slice) {
  const auto refuse = [&](const char* why) {
    lose(Diag::event_bad, position, why);
    return false;
  };
  if (!is_string(fields.name)) return refuse("A slice has no name.");
  slice.position = position;
  if (!read_time(fields.ts, position, slice.start_ns)) return false;
  if (!read_track(fields, true, slice.track)) return refuse("A slice's pid or tid is no integer.");
  const std::optional<int64_t> dur = token_us_to_ns(bare(fields.dur));
  if (!dur || *dur < 0 || *dur > limits::kMaxDurationNs) {
    return refuse("A slice's duration is no number, negative, or more than a day.");
  }
  slice.dur_ns = *dur;
  slice.name = texts_.number_of(inside(fields.name));
  return slice.name != kNoText || refuse("A slice's name has a bad escape.");
}

void EventInterpreter::note_step(const EventFields& fields, const SliceRecord& slice) {
  if (const auto step = step_number(inside(fields.name))) {
    out_->steps.push_back({*step, slice.start_ns, slice.dur_ns, slice.track, slice.position});
  }
}

bool EventInterpreter::read_text(std::string_view token, TextForm form, uint32_t position, int32_t& text) {
  if (!is_string(token)) {
    lose(Diag::json_shape, position, "An argument of a slice that should be a string is none.");
    return true;
  }
  text = texts_.number_of(inside(token), form);
  if (text == kNoText) lose(Diag::event_bad, position, "An argument of a slice has a bad escape.");
  return text != kNoText;
}

void EventInterpreter::read_integer(std::string_view token, uint32_t position, int64_t& value) {
  const auto integer = token_to_integer(bare(token));
  value = integer.value_or(kNoNumber);
  if (!integer) lose(Diag::json_shape, position, "An argument of a slice that should be an integer is none.");
}

void EventInterpreter::take_samples(const EventFields& fields, uint32_t position) {
  if (!is_string(fields.name)) return lose(Diag::event_bad, position, "A counter has no name.");
  SampleRecord sample;
  if (!begin_samples(fields, position, sample)) return;
  sample.name = texts_.number_of(inside(fields.name));
  if (sample.name == kNoText) return lose(Diag::event_bad, position, "A counter's name has a bad escape.");

  const size_t before = out_->samples.size();
  bool all_good = !fields.arguments.empty();
  for (const EventFields::Argument& argument : fields.arguments) {
    // Small integers are the most frequent values, and exact.
    constexpr int64_t kExact = int64_t{1} << 53;
    const auto integer = token_to_integer(argument.value);
    const auto value = integer && *integer<kExact&& * integer> - kExact ? static_cast<double>(*integer)
                       : is_number_like(argument.value)                 ? to_double(argument.value)
                                                                        : std::nullopt;
    sample.series = value ? texts_.number_of(argument.key) : kNoText;
    if (sample.series == kNoText) {
      all_good = false;
      continue;
    }
    sample.value = *value;
    out_->samples.push_back(sample);
  }
  if (!all_good) lose(Diag::event_bad, position, "A counter has a value that is no number, or none.");
  if (out_->samples.size() == before) return;
  count_sampling(sample.track);
}

bool EventInterpreter::begin_samples(const EventFields& fields, uint32_t position, SampleRecord& sample) {
  sample.position = position;
  if (!read_time(fields.ts, position, sample.ts_ns)) return false;
  if (read_track(fields, false, sample.track)) return true;
  lose(Diag::event_bad, position, "A counter's pid is no integer.");
  return false;
}

void EventInterpreter::count_sampling(uint32_t track) {
  if (out_->sample_events.size() <= track) out_->sample_events.resize(track + 1);
  ++out_->sample_events[track];
}

bool EventInterpreter::take_instant(const EventFields& /*fields*/, uint32_t /*position*/) { return false; }

void EventInterpreter::take_flow(const EventFields& fields, uint32_t position, bool is_end) {
  FlowRecord flow;
  flow.position = position;
  flow.is_end = is_end;
  if (!read_time(fields.ts, position, flow.ts_ns)) return;
  if (!read_track(fields, true, flow.track)) {
    return lose(Diag::event_bad, position, "A flow's pid or tid is no integer.");
  }
  const std::string_view id = bare(fields.id);
  if (id.empty() || id.front() == '{' || id.front() == '[') return lose(Diag::event_bad, position, "A flow has no id.");
  const auto number = token_to_integer(id);
  flow.id = number && *number >= 0 ? static_cast<uint64_t>(*number) : hash64(id) | uint64_t{1} << 63;
  const std::string_view kind = is_string(fields.category) ? fields.category : fields.name;
  flow.kind = is_string(kind) ? texts_.number_of(inside(kind)) : kNoText;
  if (flow.kind == kNoText) return lose(Diag::event_bad, position, "A flow has neither category nor name.");
  out_->flows.push_back(flow);
}

void EventInterpreter::take_name(const EventFields& fields, uint32_t position) {
  struct Kind {
    std::string_view name, argument;
    NameRecord::What what;
  };
  static constexpr Kind kKinds[] = {
      {"\"process_name\"", "name", NameRecord::What::process_name},
      {"\"process_labels\"", "labels", NameRecord::What::process_labels},
      {"\"thread_name\"", "name", NameRecord::What::thread_name},
  };
  if (fields.name == "\"process_sort_index\"" || fields.name == "\"thread_sort_index\"") return;  // for viewers only
  for (const Kind& kind : kKinds) {
    if (kind.name != fields.name) continue;
    const bool is_thread = kind.what == NameRecord::What::thread_name;
    NameRecord record{kind.what, 0, kNoText};
    if (!read_track(fields, is_thread, record.track)) {
      return lose(Diag::event_bad, position, "A name's pid or tid is no integer.");
    }
    for (const EventFields::Argument& argument : fields.arguments) {
      if (argument.key == kind.argument && is_string(argument.value)) {
        record.text = texts_.number_of(inside(argument.value));
      }
    }
    if (record.text == kNoText) return lose(Diag::event_bad, position, "A process or thread is named by no text.");
    out_->names.push_back(record);
    return;
  }
  take_other('M', position);
}

void EventInterpreter::take_other(char phase, uint32_t position) {
  OtherPhases& others = out_->others;
  if (others.total++ == 0) others.first_offset = out_->file_offset + position;
  if ((phase == 'B' || phase == 'E') && others.begin_end++ == 0) {
    others.first_begin_end = out_->file_offset + position;
  }
  ++others.count[static_cast<unsigned char>(phase) < others.count.size() ? static_cast<size_t>(phase) : 0];
}

bool EventInterpreter::read_track(const EventFields& fields, bool needs_tid, uint32_t& track) {
  const auto pid = token_to_integer(bare(fields.pid));
  const auto tid = needs_tid ? token_to_integer(bare(fields.tid)) : std::optional<int64_t>(kNoNumber);
  if (!pid || !tid) return read_named_track(fields, needs_tid, track);
  track = tracks_.number_of({*pid, *tid});
  return true;
}

bool EventInterpreter::read_named_track(const EventFields& /*fields*/, bool /*needs_tid*/, uint32_t& /*track*/) {
  return false;
}

bool EventInterpreter::read_time(std::string_view token, uint32_t position, int64_t& ns) {
  const std::string_view text = bare(token);
  const std::optional<int64_t> value = token_us_to_ns(text);
  if (text.find('+') != text.npos && is_destroyed_timestamp(text)) {
    lose(Diag::timestamp_destroyed, position, "");
    return false;
  }
  if (!value || *value > kMaxTraceNs || *value < -kMaxTraceNs) {
    lose(Diag::event_bad, position, "An event's timestamp (ts) is no number.");
    return false;
  }
  ns = *value;
  return true;
}

}  // namespace stepwise::ingest
