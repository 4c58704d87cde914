#include "prefetch.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "breakdown.h"
#include "by_code.h"
#include "name_words.h"

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;

// A number in a name that lies farther ahead is none of a step.
constexpr int64_t kFarthestAhead = 100;

struct Word {
  std::string_view text;
  bool whole;  // else it begins a word
  PrefetchWord says;
};
constexpr Word kWords[] = {
    {"prefetch", false, PrefetchWord::always},
    {"nextstep", false, PrefetchWord::always},
    {"precompute", false, PrefetchWord::always},
    {"prepare", false, PrefetchWord::depends},
    {"pipeline", false, PrefetchWord::depends},
    // TorchRec's pipeline distributes the next batch's sparse ids under these names.
    {"sparsedatadist", false, PrefetchWord::depends},
    {"sdd", true, PrefetchWord::depends},
};

const Word* word_in(std::string_view name) {
  if (is_no_range(name) || is_wait(name)) return nullptr;
  const NameWords words(name);
  const auto has = [&words](std::string_view text, bool whole) {
    for (size_t at = words.text.find(text); at != std::string::npos; at = words.text.find(text, at + 1)) {
      if (words.begins[at] && (!whole || words.ends[at + text.size() - 1])) return true;
    }
    return false;
  };
  if (has("wait", true)) return nullptr;  // as in `sdd_wait_tensors`
  for (const Word& word : kWords) {
    if (has(word.text, word.whole)) return &word;
  }
  return nullptr;
}

bool is_step_work(Stage stage) {
  return stage == Stage::forward || stage == Stage::backward || stage == Stage::update_embedding ||
         stage == Stage::update_dense;
}

class Finder {
 public:
  explicit Finder(const StepModel& model)
      : model_(model),
        name_(model.host_ops[host_op::name]),
        start_(model.host_ops[host_op::start_ns]),
        parent_(model.host_ops[host_op::parent_id]),
        pid_(model.host_ops[host_op::pid]),
        tid_(model.host_ops[host_op::tid]),
        word_(name_, prefetch_word),
        stage_(name_, [](std::string_view name) { return judge_name(name).stage; }),
        holds_step_work_(model.host_ops.rows()),
        inside_(model.host_ops.rows()),
        forward_start_(model.windows.all.size(), INT64_MAX) {
    for (const Entry& entry : model.host.entries) see(entry);
  }

  std::vector<PrefetchEvent> find(const sdk::Call& call) {
    std::vector<PrefetchEvent> events;
    call.for_each_row(model_.host_ops.rows(), [&](uint64_t row) {
      const auto parent = parent_.get(row);
      const bool has_parent = parent && *parent >= 0 && static_cast<uint64_t>(*parent) < row;
      inside_[row] = has_parent && inside_[static_cast<uint64_t>(*parent)];
      if (inside_[row] || word_(row) == PrefetchWord::none) return;
      const auto window = model_.windows.at(start_[row]);
      if (!window) return;
      PrefetchEvent event{row, *window, Thread{pid_[row], tid_[row]} == model_.windows.all[*window].main, {}, {}};
      find_target(event);
      if (word_(row) == PrefetchWord::depends && !runs_ahead(event)) return;
      inside_[row] = true;
      const bool is_own = event.target == PrefetchEvent::Target::name && *event.depth == 0;
      if (!is_own) events.push_back(event);
    });
    return events;
  }

 private:
  void see(const Entry& entry) {
    const bool on_main = model_.host.threads[entry.thread] == model_.windows.all[entry.window].main;
    if (entry.stage == Stage::forward && on_main) {
      forward_start_[entry.window] = std::min(forward_start_[entry.window], entry.start_ns);
    }
    if (!is_step_work(entry.stage)) return;
    for (auto row = parent_.get(entry.row); row && *row >= 0 && static_cast<uint64_t>(*row) < entry.row;
         row = parent_.get(static_cast<uint64_t>(*row))) {
      const auto at = static_cast<uint64_t>(*row);
      if (holds_step_work_[at]) break;
      holds_step_work_[at] = true;
    }
  }

  void find_target(PrefetchEvent& event) const {
    const auto step = model_.windows.all[event.window].number;
    const auto number = number_of_name(name_[event.row]);
    if (!step || !number || *number < *step || *number - *step > kFarthestAhead) return;
    event.target = PrefetchEvent::Target::name;
    event.depth = *number - *step;
  }

  // Whether a name that may mean the step's own work stands for a later step's.
  bool runs_ahead(const PrefetchEvent& event) {
    if (is_step_work(stage_(event.row)) || holds_step_work_[event.row]) return false;
    if (event.target == PrefetchEvent::Target::name) return *event.depth > 0;
    return !event.on_main || start_[event.row] >= forward_start_[event.window];
  }

  const StepModel& model_;
  sdk::Column<table::Type::code> name_;
  sdk::Column<table::Type::i64> start_, parent_, pid_, tid_;
  ByCode<PrefetchWord (*)(std::string_view)> word_;
  ByCode<Stage (*)(std::string_view)> stage_;
  std::vector<bool> holds_step_work_, inside_;
  std::vector<int64_t> forward_start_;  // on the main thread, by window
};

// The step whose forward uses what is taken at an instant. Micro-batches have several forwards, each with its backward;
// forward-like calls behind the last backward, as of metrics, use nothing.
class Uses {
 public:
  explicit Uses(const StepModel& model) : model_(model), of_window_(model.windows.all.size()) {
    for (const Entry& entry : model.host.entries) {
      OfWindow& here = of_window_[entry.window];
      if (entry.stage == Stage::backward) here.last_backward_ns = std::max(here.last_backward_ns, entry.start_ns);
      const bool on_main = model.host.threads[entry.thread] == model.windows.all[entry.window].main;
      if (entry.stage == Stage::forward && on_main) here.forwards.push_back(&entry);
    }
  }

  /// Empty: the step has no number.
  std::optional<int64_t> step_of(uint32_t window, int64_t taken_ns) const {
    const OfWindow& here = of_window_[window];
    const bool has_backward = here.last_backward_ns != INT64_MIN;
    const auto uses = [&](const Entry* forward) {
      return forward->end_ns > taken_ns && (!has_backward || forward->start_ns <= here.last_backward_ns);
    };
    const std::vector<Window>& all = model_.windows.all;
    const std::optional<int64_t> number = all[window].number;
    if (!number || here.forwards.empty() || std::any_of(here.forwards.begin(), here.forwards.end(), uses)) {
      return number;
    }
    return window + 1 < all.size() ? all[window + 1].number : *number + 1;
  }

 private:
  struct OfWindow {
    std::vector<const Entry*> forwards;  // on the main thread
    int64_t last_backward_ns = INT64_MIN;
  };
  const StepModel& model_;
  std::vector<OfWindow> of_window_;
};

// What takes what was fetched, in order of start: waits for results on main threads whose names share the keyword, else
// those in stages before the forward, else the main threads' embedding fetches.
struct Consumer {
  int64_t start_ns;
  uint32_t window;
};

// The stretches of threads in which fetches run.
class FetchRanges {
 public:
  FetchRanges(const StepModel& model, const std::vector<PrefetchEvent>& events) {
    const auto start = model.host_ops[host_op::start_ns], dur = model.host_ops[host_op::dur_ns];
    const auto tid = model.host_ops[host_op::tid];
    for (const PrefetchEvent& event : events) {
      int64_t& end_ns = end_ns_[{tid[event.row], start[event.row]}];
      end_ns = std::max(end_ns, start[event.row] + dur[event.row]);
    }
  }
  bool hold(const Wait& wait) const {
    const auto after = end_ns_.upper_bound({wait.tid, wait.start_ns});
    if (after == end_ns_.begin()) return false;
    const auto& [begin, end_ns] = *std::prev(after);
    return begin.first == wait.tid && wait.start_ns < end_ns;
  }

 private:
  std::map<std::pair<int64_t, int64_t>, int64_t> end_ns_;  // by thread and start; events do not hold each other
};

bool is_on_main(const StepModel& model, const Wait& wait) {
  return model.windows.all[wait.window].main.tid == wait.tid;
}

std::vector<Consumer> consumers_of(const StepModel& model, const FetchRanges& fetches, std::string_view keyword) {
  std::vector<Consumer> named, others, calls;
  for (const Wait& wait : model.waits) {
    if (wait.kind != WaitKind::result || !is_on_main(model, wait)) continue;
    const bool shares = NameWords(wait.name).text.find(keyword) != std::string::npos;
    const bool before_forward = wait.stage == Stage::preprocess || wait.stage == Stage::embedding_fetch;
    if (shares) named.push_back({wait.start_ns, wait.window});
    // What a fetch waits for itself takes nothing that was fetched.
    if (before_forward && !fetches.hold(wait)) others.push_back({wait.start_ns, wait.window});
  }
  for (const Entry& entry : model.host.entries) {
    const bool on_main = model.host.threads[entry.thread] == model.windows.all[entry.window].main;
    if (entry.stage == Stage::embedding_fetch && on_main) calls.push_back({entry.start_ns, entry.window});
  }
  std::vector<Consumer>& best = !named.empty() ? named : !others.empty() ? others : calls;
  std::stable_sort(best.begin(), best.end(),
                   [](const Consumer& a, const Consumer& b) { return a.start_ns < b.start_ns; });
  return best;
}

// First in, first out: of the events of one keyword without a number, the k-th belongs to the k-th consumer.
void match_in_order(const StepModel& model, const Uses& uses, const std::vector<Consumer>& consumers,
                    std::vector<PrefetchEvent*>& events) {
  const auto start = model.host_ops[host_op::start_ns];
  size_t next = 0;
  for (PrefetchEvent* event : events) {
    while (next < consumers.size() && consumers[next].start_ns < start[event->row]) ++next;
    if (next == consumers.size()) return;
    const auto from = model.windows.all[event->window].number;
    const auto to = uses.step_of(consumers[next].window, consumers[next].start_ns);
    ++next;
    if (!from || !to) continue;
    event->target = PrefetchEvent::Target::order;
    event->depth = *to - *from;
  }
}

}  // namespace

PrefetchWord prefetch_word(std::string_view name) {
  const Word* word = word_in(name);
  return word == nullptr ? PrefetchWord::none : word->says;
}

std::string_view prefetch_keyword(std::string_view name) {
  const Word* word = word_in(name);
  return word == nullptr ? std::string_view() : word->text;
}

std::optional<int64_t> number_of_name(std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!name.empty() && (name.back() == ' ' || name.back() == '#')) name.remove_suffix(1);
  size_t begin = name.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + begin, name.data() + name.size(), number);
  if (begin == name.size() || error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

std::vector<PrefetchEvent> find_prefetch(const sdk::Call& call, const StepModel& model) {
  std::vector<PrefetchEvent> all = Finder(model).find(call);
  const auto name = model.host_ops[host_op::name];
  std::vector<std::pair<std::string_view, std::vector<PrefetchEvent*>>> unnumbered;
  for (PrefetchEvent& event : all) {
    if (event.target == PrefetchEvent::Target::name) continue;
    const std::string_view keyword = prefetch_keyword(name[event.row]);
    auto it = std::find_if(unnumbered.begin(), unnumbered.end(), [&](const auto& one) { return one.first == keyword; });
    if (it == unnumbered.end()) it = unnumbered.insert(it, {keyword, {}});
    it->second.push_back(&event);
  }
  if (!unnumbered.empty()) {
    const Uses uses(model);
    const FetchRanges fetches(model, all);
    for (auto& [keyword, events] : unnumbered) {
      match_in_order(model, uses, consumers_of(model, fetches, keyword), events);
    }
  }
  // What a step fetches for itself is no prefetch. Where only the order tells that, names that always mean one stand
  // against it: those that had been fetched when the profile began would make the order look so.
  std::erase_if(all, [&name](PrefetchEvent& event) {
    if (!event.depth || *event.depth > 0) return false;
    if (prefetch_word(name[event.row]) == PrefetchWord::depends) return true;
    event.target = PrefetchEvent::Target::unknown;
    event.depth.reset();
    return false;
  });
  std::vector<bool> is_chosen(model.windows.all.size());
  for (const uint32_t window : model.chosen) is_chosen[window] = true;
  std::erase_if(all, [&is_chosen](const PrefetchEvent& event) { return !is_chosen[event.window]; });
  return all;
}

FetchWaits find_fetch_waits(const StepModel& model, const std::vector<PrefetchEvent>& events) {
  const FetchRanges fetches(model, events);
  std::map<uint32_t, int64_t> of_window;
  for (const uint32_t window : model.chosen) of_window[window] = 0;
  FetchWaits out;
  for (const Wait& wait : model.waits) {
    const auto window = of_window.find(wait.window);
    if (window == of_window.end() || !is_on_main(model, wait)) continue;
    const bool for_result = wait.kind == WaitKind::result && wait.stage != Stage::backward &&
                            wait.stage != Stage::update_embedding && wait.stage != Stage::update_dense;
    if (!for_result && !fetches.hold(wait)) continue;
    window->second += wait.dur_ns();
    out.total_ns += wait.dur_ns();
  }
  for (const auto& [window, ns] : of_window) out.block = out.block || blocks(ns, model.windows.all[window].wall_ns());
  return out;
}

}  // namespace stepwise::recsys_stages
