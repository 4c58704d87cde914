#include "core/ingest/timeline/ascend_interpret.h"

namespace stepwise::ingest {
namespace {

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

}  // namespace

void AscendInterpreter::take_slice(const EventFields& fields, uint32_t position) {
  SliceRecord slice;
  if (!read_slice(fields, position, slice)) return;
  if (!read_category(fields.category, slice)) {
    return lose(Diag::event_bad, position, "A slice's category is no string, or has a bad escape.");
  }
  if (!read_arguments(fields, position, slice)) return;
  out_->slices.push_back(slice);
  if (slice.kind == SliceKind::host_op) note_step(fields, slice);
}

bool AscendInterpreter::read_arguments(const EventFields& fields, uint32_t position, SliceRecord& slice) {
  if (slice.kind == SliceKind::other) return true;
  for (const EventFields::Argument& argument : fields.arguments) {
    const WantedArgument* const wanted = find_wanted(argument.key);
    if (wanted == nullptr) {
      // Host calls of the driver stack say at which level they are.
      if (argument.key == "level") slice.hint = SliceHint::runtime;
      continue;
    }
    if (wanted->hint != SliceHint::none) slice.hint = wanted->hint;
    const auto integer = [&](int64_t& into) { read_integer(argument.value, position, into); };
    const auto text = [&](TextForm form, int32_t& into) { return read_text(argument.value, form, position, into); };
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
        if (is_unstated && !text(TextForm::plain, slice.task_type)) return false;
        break;
      case Wanted::input_dims:
        if (is_host_op && !text(TextForm::one_line, slice.shapes)) return false;
        break;
      case Wanted::call_stack:
        if (is_host_op && !text(TextForm::lines, slice.stack)) return false;
        break;
    }
  }
  return true;
}

bool AscendInterpreter::read_category(std::string_view token, SliceRecord& slice) {
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

std::unique_ptr<EventInterpreter> make_ascend_interpreter() { return std::make_unique<AscendInterpreter>(); }

}  // namespace stepwise::ingest
