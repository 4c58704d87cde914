#include "core/ingest/trace_interpret.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/decimal.h"
#include "core/base/hash.h"
#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

bool is_string(std::string_view token) { return token.size() >= 2 && token.front() == '"' && token.back() == '"'; }
std::string_view inside(std::string_view string_token) { return string_token.substr(1, string_token.size() - 2); }

/// Exporters write numbers as numbers or as strings.
std::string_view bare(std::string_view token) { return is_string(token) ? inside(token) : token; }

bool is_number_like(std::string_view token) {
  return !token.empty() && (token.front() == '-' || (token.front() >= '0' && token.front() <= '9'));
}

enum class Wanted : uint8_t {
  connection_id,
  correlation_id,
  sequence_number,
  python_id,
  stream,
  task_id,
  model_id,
  task_type,
  input_dims,
  call_stack,
};

struct WantedArgument {
  std::string_view key;
  Wanted what;
  SliceHint hint;
};

// The device's and the communication's spelling differ; so do old and new exporters'.
constexpr WantedArgument kWanted[] = {
    {"connection_id", Wanted::connection_id, SliceHint::none},
    {"correlation_id", Wanted::correlation_id, SliceHint::none},
    {"Sequence number", Wanted::sequence_number, SliceHint::none},
    {"Python id", Wanted::python_id, SliceHint::none},
    {"Physic Stream Id", Wanted::stream, SliceHint::hardware},
    {"Stream Id", Wanted::stream, SliceHint::hardware},
    {"stream id", Wanted::stream, SliceHint::communication},
    {"Task Id", Wanted::task_id, SliceHint::hardware},
    {"task id", Wanted::task_id, SliceHint::communication},
    {"Model Id", Wanted::model_id, SliceHint::hardware},
    {"model id", Wanted::model_id, SliceHint::communication},
    {"Task Type", Wanted::task_type, SliceHint::hardware},
    {"task type", Wanted::task_type, SliceHint::communication},
    {"Input Dims", Wanted::input_dims, SliceHint::none},
    {"Call stack", Wanted::call_stack, SliceHint::none},
};

const WantedArgument* find_wanted(std::string_view key) {
  // One comparison tells nearly all others apart.
  switch (key.empty() ? '\0' : key.front()) {
    case 'c':
    case 'S':
    case 'P':
    case 's':
    case 'T':
    case 't':
    case 'M':
    case 'm':
    case 'I':
    case 'C':
      for (const WantedArgument& wanted : kWanted) {
        if (wanted.key == key) return &wanted;
      }
      break;
    default:
      break;
  }
  return nullptr;
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
  last_category_.clear();
  out.slices.clear();
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
    default:
      return take_other(phase, position);
  }
}

void EventInterpreter::take_slice(const EventFields& fields, uint32_t position) {
  if (!is_string(fields.name)) return lose(Diag::event_bad, position, "A slice has no name.");
  SliceRecord slice;
  slice.position = position;
  if (!read_time(fields.ts, position, slice.start_ns)) return;
  if (!read_track(fields, true, slice.track)) {
    return lose(Diag::event_bad, position, "A slice's pid or tid is no integer.");
  }
  const std::optional<int64_t> dur = token_us_to_ns(bare(fields.dur));
  if (!dur || *dur < 0 || *dur > kMaxTraceNs) {
    return lose(Diag::event_bad, position, "A slice's duration is no number, or negative.");
  }
  slice.dur_ns = *dur;

  const std::string_view raw_name = inside(fields.name);
  slice.name = texts_.number_of(raw_name);
  if (slice.name == kNoText || !read_category(fields.category, slice)) {
    return lose(Diag::event_bad, position, "A slice's name has a bad escape, or its category is no string.");
  }
  if (!read_arguments(fields, position, slice)) return;
  out_->slices.push_back(slice);

  if (slice.kind == SliceKind::host_op) {
    if (const auto step = step_number(raw_name)) {
      out_->steps.push_back({*step, slice.start_ns, slice.dur_ns, slice.track, position});
    }
  }
}

bool EventInterpreter::read_arguments(const EventFields& fields, uint32_t position, SliceRecord& slice) {
  if (slice.kind == SliceKind::other) return true;
  const auto text_of = [&](std::string_view token, TextForm form, int32_t& text) {
    if (!is_string(token)) {
      lose(Diag::json_shape, position, "An argument of a slice that should be a string is none.");
      return true;
    }
    text = texts_.number_of(inside(token), form);
    if (text == kNoText) lose(Diag::event_bad, position, "An argument of a slice has a bad escape.");
    return text != kNoText;
  };
  for (const EventFields::Argument& argument : fields.arguments) {
    const WantedArgument* const wanted = find_wanted(argument.key);
    if (wanted == nullptr) {
      // Host calls of the driver stack say at which level they are.
      if (argument.key == "level") slice.hint = SliceHint::runtime;
      continue;
    }
    if (wanted->hint != SliceHint::none) slice.hint = wanted->hint;
    const auto integer = [&](int64_t& into) {
      const auto value = token_to_integer(bare(argument.value));
      into = value.value_or(kNoNumber);
      if (!value) lose(Diag::json_shape, position, "An argument of a slice that should be an integer is none.");
    };
    const bool is_host_op = slice.kind == SliceKind::host_op;
    const bool is_queue = slice.kind == SliceKind::enqueue || slice.kind == SliceKind::dequeue;
    const bool is_unstated = slice.kind == SliceKind::unstated;
    switch (wanted->what) {
      case Wanted::connection_id:
        if (is_unstated) integer(slice.link_id);
        break;
      case Wanted::correlation_id:
        if (is_queue) integer(slice.link_id);
        break;
      case Wanted::sequence_number:
        if (is_host_op) integer(slice.link_id);
        if (slice.link_id == -1) slice.link_id = kNoNumber;  // none
        break;
      case Wanted::python_id:
        if (slice.kind == SliceKind::python_call) integer(slice.link_id);
        break;
      case Wanted::stream:
        if (is_unstated) integer(slice.stream);
        break;
      case Wanted::task_id:
        if (is_unstated) integer(slice.task_id);
        break;
      case Wanted::model_id:
        if (is_unstated) integer(slice.model_id);
        break;
      case Wanted::task_type:
        if (is_unstated && !text_of(argument.value, TextForm::plain, slice.task_type)) return false;
        break;
      case Wanted::input_dims:
        if (is_host_op && !text_of(argument.value, TextForm::one_line, slice.shapes)) return false;
        break;
      case Wanted::call_stack:
        if (is_host_op && !text_of(argument.value, TextForm::lines, slice.stack)) return false;
        break;
    }
  }
  return true;
}

void EventInterpreter::take_samples(const EventFields& fields, uint32_t position) {
  if (!is_string(fields.name)) return lose(Diag::event_bad, position, "A counter has no name.");
  SampleRecord sample;
  sample.position = position;
  if (!read_time(fields.ts, position, sample.ts_ns)) return;
  // Counters belong to a process.
  const auto pid = token_to_integer(bare(fields.pid));
  if (!pid) return lose(Diag::event_bad, position, "A counter's pid is no integer.");
  sample.track = tracks_.number_of({*pid, kNoNumber});
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
  if (out_->sample_events.size() <= sample.track) out_->sample_events.resize(sample.track + 1);
  ++out_->sample_events[sample.track];
}

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
  ++others.count[static_cast<unsigned char>(phase) < others.count.size() ? static_cast<size_t>(phase) : 0];
}

bool EventInterpreter::read_track(const EventFields& fields, bool needs_tid, uint32_t& track) {
  const auto pid = token_to_integer(bare(fields.pid));
  const auto tid = needs_tid ? token_to_integer(bare(fields.tid)) : std::optional<int64_t>(kNoNumber);
  if (!pid || !tid) return false;
  track = tracks_.number_of({*pid, *tid});
  return true;
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

bool EventInterpreter::read_category(std::string_view token, SliceRecord& slice) {
  if (token.empty() || token == "\"\"") return true;
  if (token != last_category_) {
    last_category_ = token;
    last_category_text_ = is_string(token) ? texts_.number_of(inside(token)) : kNoText;
    last_kind_ = token == "\"cpu_op\"" || token == "\"user_annotation\"" ? SliceKind::host_op
                 : token == "\"python_function\""                        ? SliceKind::python_call
                 : token == "\"enqueue\""                                ? SliceKind::enqueue
                 : token == "\"dequeue\""                                ? SliceKind::dequeue
                                                                         : SliceKind::other;
  }
  slice.category = last_category_text_;
  slice.kind = last_kind_;
  return slice.category != kNoText;
}

}  // namespace stepwise::ingest
