#include <algorithm>
#include <map>
#include <tuple>

#include "pairs.h"
#include "prefetch.h"
#include "recsys_stages.h"
#include "stepwise/short_names.hpp"

namespace stepwise::recsys_stages {
namespace {

using sdk::JsonWriter;
namespace host_op = table::host_op;

constexpr int64_t kShownWaits = 12;  // where the caller does not say
constexpr size_t kShownEvents = 8;
constexpr size_t kNameColumns = 100;  // a template's name may be longer than everything else together

const char* wait_kind_name(WaitKind kind) {
  switch (kind) {
    case WaitKind::result:
      return "result";
    case WaitKind::synchronization:
      return "synchronization";
    case WaitKind::copy:
      break;
  }
  return "copy";
}

// Waits of one name in one stage.
struct WaitRow {
  std::string_view name;
  Stage stage = Stage::unclassified;
  WaitKind kind = WaitKind::result;
  uint64_t count = 0;
  int64_t total_ns = 0, max_ns = 0;
  bool blocking = false;  // in one of the steps they take together as long as blocks() says
  std::map<uint32_t, int64_t> of_window;
};

std::vector<WaitRow> sum_waits(const StepModel& model) {
  std::vector<bool> is_chosen(model.windows.all.size());
  for (const uint32_t window : model.chosen) is_chosen[window] = true;
  std::map<std::tuple<size_t, std::string_view>, WaitRow> rows;
  for (const Wait& wait : model.waits) {
    if (!is_chosen[wait.window]) continue;
    WaitRow& row = rows[{slot(wait.stage), wait.name}];
    row.name = wait.name;
    row.stage = wait.stage;
    row.kind = wait.kind;
    ++row.count;
    row.total_ns += wait.dur_ns();
    row.max_ns = std::max(row.max_ns, wait.dur_ns());
    row.of_window[wait.window] += wait.dur_ns();
  }
  std::vector<WaitRow> out;
  for (auto& [key, row] : rows) {
    for (const auto& [window, ns] : row.of_window) {
      row.blocking = row.blocking || blocks(ns, model.windows.all[window].wall_ns());
    }
    out.push_back(std::move(row));
  }
  std::stable_sort(out.begin(), out.end(), [](const WaitRow& a, const WaitRow& b) { return a.total_ns > b.total_ns; });
  return out;
}

// Events of one name, numbers apart.
struct EventRow {
  std::string name;
  Stage stage = Stage::unclassified;
  uint64_t count = 0, on_main = 0;
  int64_t total_ns = 0;
  PrefetchEvent::Target target = PrefetchEvent::Target::unknown;
  std::optional<int64_t> depth;
};

std::string without_number(std::string_view name) {
  std::string text;
  bool in_number = false;
  for (const char c : name) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && !in_number) text += 'N';
    if (!is_digit) text += c;
    in_number = is_digit;
  }
  return text;
}

const char* target_name(PrefetchEvent::Target target) {
  switch (target) {
    case PrefetchEvent::Target::name:
      return "name";
    case PrefetchEvent::Target::order:
      return "order";
    case PrefetchEvent::Target::unknown:
      break;
  }
  return nullptr;
}

std::vector<EventRow> sum_events(const StepModel& model, const std::vector<PrefetchEvent>& events) {
  const auto name = model.host_ops[host_op::name];
  const auto dur = model.host_ops[host_op::dur_ns];
  std::map<std::pair<std::string, PrefetchEvent::Target>, EventRow> rows;
  for (const PrefetchEvent& event : events) {
    EventRow& row = rows[{without_number(name[event.row]), event.target}];
    row.name = name[event.row];
    row.stage = model.host.stage_of_row(event.row);
    ++row.count;
    row.on_main += event.on_main ? 1 : 0;
    row.total_ns += dur[event.row];
    row.target = event.target;
    if (event.depth) row.depth = std::max(row.depth.value_or(0), *event.depth);
  }
  std::vector<EventRow> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  std::stable_sort(out.begin(), out.end(),
                   [](const EventRow& a, const EventRow& b) { return a.total_ns > b.total_ns; });
  return out;
}

struct AsyncAnswer {
  const StepModel& model;
  std::array<Pair, kPairs.size()> pairs;
  std::vector<PrefetchEvent> events;
  FetchWaits fetch_waits;
  std::vector<WaitRow> waits;
  int64_t wall_ns = 0;
  size_t limit = 0;  // of waits

  double mean_us(int64_t sum_ns) const {
    return static_cast<double>(sum_ns) / (1000.0 * static_cast<double>(model.chosen.size()));
  }
  std::optional<int64_t> depth() const {
    if (events.empty()) return 0;
    std::optional<int64_t> deepest;
    for (const PrefetchEvent& event : events) {
      if (event.depth) deepest = std::max(deepest.value_or(0), *event.depth);
    }
    return deepest;
  }
  // Empty: nothing is fetched ahead.
  std::optional<bool> hides_communication() const {
    if (events.empty()) return std::nullopt;
    return !fetch_waits.block;
  }
};

// Of the rows that are shown: what they are called stays different, however it is shortened.
template <class Row>
std::vector<std::string> names_of(const std::vector<Row>& rows, size_t shown) {
  std::vector<std::string_view> whole;
  for (size_t i = 0; i < std::min(rows.size(), shown); ++i) whole.push_back(rows[i].name);
  return short_names(whole, kNameColumns);
}

void write_pairs(JsonWriter& w, const AsyncAnswer& answer) {
  w.key("pairs").begin_array();
  for (const Pair& pair : answer.pairs) {
    const bool both = pair.a_ns > 0 && pair.b_ns > 0;
    w.begin_object().field("a", stage_name(pair.a)).field("b", stage_name(pair.b));
    const auto mean = [&answer](bool known, int64_t ns) {
      return known ? std::optional(answer.mean_us(ns)) : std::nullopt;
    };
    w.field("a_us", mean(pair.a_ns > 0, pair.a_ns)).field("b_us", mean(pair.b_ns > 0, pair.b_ns));
    w.field("overlap_us", mean(both, pair.overlap_ns)).field("overlap_ratio", pair.overlap_ratio());
    w.field("device_overlap_us", mean(both && pair.device_overlap_ns.has_value(), pair.device_overlap_ns.value_or(0)));
    w.field("serial", pair.serial()).field("one_prefetch_thread", pair.one_prefetch_thread).end_object();
  }
  w.end_array();
}

void write_prefetch(JsonWriter& w, const AsyncAnswer& answer) {
  const std::vector<EventRow> rows = sum_events(answer.model, answer.events);
  w.key("prefetch").begin_object().field("found", !answer.events.empty()).field("depth", answer.depth());
  w.field("hides_communication", answer.hides_communication());
  w.field("wait_us", answer.mean_us(answer.fetch_waits.total_ns)).field("event_count", answer.events.size());
  w.key("events").begin_array();
  const std::vector<std::string> names = names_of(rows, kShownEvents);
  for (size_t i = 0; i < names.size(); ++i) {
    const EventRow& row = rows[i];
    w.begin_object().field("name", names[i]).field("stage", stage_name(row.stage));
    w.field("count", row.count).field("on_main_thread", row.on_main).field("total_us", us_of(row.total_ns));
    w.field("depth", row.depth).key("depth_from");
    const char* target = target_name(row.target);
    target == nullptr ? w.value(nullptr) : w.value(target);
    w.end_object();
  }
  w.end_array().end_object();
}

void write_waits(JsonWriter& w, const AsyncAnswer& answer) {
  w.key("waits").begin_array();
  int64_t left_out_ns = 0;
  uint64_t left_out = 0;
  const std::vector<std::string> names = names_of(answer.waits, answer.limit);
  for (size_t i = 0; i < answer.waits.size(); ++i) {
    const WaitRow& row = answer.waits[i];
    if (i >= names.size()) {
      left_out_ns += row.total_ns;
      left_out += row.count;
      continue;
    }
    w.begin_object().field("name", names[i]).field("stage", stage_name(row.stage));
    w.field("kind", wait_kind_name(row.kind)).field("count", row.count).field("total_us", us_of(row.total_ns));
    w.field("max_us", us_of(row.max_ns)).key("ratio");
    answer.wall_ns > 0 ? w.value(static_cast<double>(row.total_ns) / static_cast<double>(answer.wall_ns))
                       : w.value(nullptr);
    w.field("blocking", row.blocking).end_object();
  }
  w.end_array();
  if (left_out == 0) return;
  w.key("waits_other").begin_object().field("count", left_out).field("total_us", us_of(left_out_ns)).end_object();
}

void write_evidence(JsonWriter& w, const AsyncAnswer& answer) {
  const auto src_pos = answer.model.host_ops[host_op::src_pos];
  const auto name = answer.model.host_ops[host_op::name];
  int id = 0;
  const auto add = [&](int64_t row, const std::string& says) {
    w.begin_object().field("id", "e" + std::to_string(++id)).field("file", answer.model.host_ops.source_file());
    if (row > 0) w.field("row", row);
    w.field("says", says).end_object();
  };
  w.key("evidence").begin_array();
  for (size_t i = 0; i < answer.model.chosen.size() && i < 2; ++i) {
    const Window& window = answer.model.windows.all[answer.model.chosen[i]];
    if (window.number) add(window.src_pos, "ProfilerStep#" + std::to_string(*window.number));
  }
  if (!answer.events.empty()) {
    const uint64_t row = answer.events.front().row;
    add(src_pos[row], "fetches ahead: `" + short_name(name[row], kNameColumns) + "`");
  } else {
    add(0, "no name speaks of fetching ahead");
  }
  w.end_array();
}

void write_warnings(JsonWriter& w, const AsyncAnswer& answer) {
  const auto warn = [&w](const char* code, const std::string& text) {
    w.begin_object().field("code", code).field("text", text).end_object();
  };
  w.key("warnings").begin_array();
  if (!answer.model.windows.by_steps) {
    warn("stages.no_steps", "The profile has no ProfilerStep: all calls of the host are one window.");
  }
  for (const Pair& pair : answer.pairs) {
    if (!pair.one_prefetch_thread) continue;
    warn("stages.one_prefetch_thread", std::string(stage_name(pair.a)) + " and " + stage_name(pair.b) +
                                           " run on one thread beside the main one: that they follow each other there "
                                           "says nothing against it.");
  }
  const bool by_order = std::any_of(answer.events.begin(), answer.events.end(), [](const PrefetchEvent& event) {
    return event.target == PrefetchEvent::Target::order;
  });
  if (by_order) {
    warn("stages.depth_by_order",
         "Names do not tell which step a fetch is for: its depth follows from the order in which fetches are used, and "
         "is a lower bound where the first ones began before the profile.");
  }
  w.end_array();
}

void write_missing(JsonWriter& w, const StepModel& model) {
  const std::string file(model.host_ops.source_file());
  w.key("missing").begin_array();
  if (model.device.how == DeviceStages::How::none) {
    w.begin_object().field("input", file + ": device work").field("costs", "no device_overlap_us").end_object();
  } else if (model.device.how == DeviceStages::How::time) {
    w.begin_object().field("input", file + ": links from host calls to device work");
    w.field("costs", "device_overlap_us follows what the host did when the work ran").end_object();
  }
  if (!model.has_driver_calls) {
    w.begin_object().field("input", file + ": calls of the driver");
    w.field("costs", "waits are known of framework calls and ranges only").end_object();
  }
  w.end_array();
}

void write_async(JsonWriter& w, const AsyncAnswer& answer) {
  w.begin_object().field("window", answer.model.window_text()).field("step_us", answer.mean_us(answer.wall_ns));
  write_pairs(w, answer);
  write_prefetch(w, answer);
  write_waits(w, answer);
  w.key("metrics").begin_object();
  w.field("stage.preprocess_fetch_overlap_ratio", answer.pairs[0].overlap_ratio());
  w.field("stage.updates_overlap_ratio", answer.pairs[1].overlap_ratio());
  w.field("prefetch.depth", answer.depth()).end_object();
  write_evidence(w, answer);
  write_missing(w, answer.model);
  write_warnings(w, answer);
  w.key("next").begin_array();
  if (answer.model.device.how != DeviceStages::How::none) {
    w.begin_object().field("tool", "comm_overlap").key("arguments").begin_object();
    if (answer.model.rank != 0) w.field("rank", answer.model.rank);
    w.end_object().field("why", "which communication nothing hides, and in which stage").end_object();
  }
  w.end_array().end_object();
}

}  // namespace

int32_t stage_async(sdk::Call& call) {
  int32_t returned = 0;
  const auto model = read_step_model(call, WithDevice::yes, returned);
  if (!model) return returned;
  AsyncAnswer answer{*model, find_pairs(*model), find_prefetch(call, *model), {}, sum_waits(*model)};
  answer.limit = static_cast<size_t>(std::clamp<int64_t>(call.args().integer("limit").value_or(kShownWaits), 1, 1000));
  answer.fetch_waits = find_fetch_waits(*model, answer.events);
  for (const uint32_t window : model->chosen) answer.wall_ns += model->windows.all[window].wall_ns();
  sdk::JsonWriter w;
  write_async(w, answer);
  return call.emit(w);
}

}  // namespace stepwise::recsys_stages
