#include "prefetch.h"

#include <algorithm>
#include <charconv>

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
      events.push_back(event);
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

// What takes what was fetched, in order of start: waits for results on main threads whose names share the keyword, else
// those in stages before the forward, else the main threads' embedding fetches.
struct Consumer {
  int64_t start_ns;
  uint32_t window;
};

// What a fetch waits for itself takes nothing that was fetched.
bool is_in_any(const StepModel& model, const std::vector<PrefetchEvent>& events, const Wait& wait) {
  const auto start = model.host_ops[host_op::start_ns], dur = model.host_ops[host_op::dur_ns];
  const auto tid = model.host_ops[host_op::tid];
  return std::any_of(events.begin(), events.end(), [&](const PrefetchEvent& event) {
    return tid[event.row] == wait.tid && start[event.row] <= wait.start_ns &&
           wait.start_ns < start[event.row] + dur[event.row];
  });
}

std::vector<Consumer> consumers_of(const StepModel& model, const std::vector<PrefetchEvent>& all,
                                   std::string_view keyword) {
  std::vector<Consumer> named, others, fetches;
  for (const Wait& wait : model.waits) {
    if (wait.kind != WaitKind::result || model.windows.all[wait.window].main.tid != wait.tid) continue;
    const bool shares = NameWords(wait.name).text.find(keyword) != std::string::npos;
    const bool before_forward = wait.stage == Stage::preprocess || wait.stage == Stage::embedding_fetch;
    if (shares) named.push_back({wait.start_ns, wait.window});
    if (before_forward && !is_in_any(model, all, wait)) others.push_back({wait.start_ns, wait.window});
  }
  for (const Entry& entry : model.host.entries) {
    const bool on_main = model.host.threads[entry.thread] == model.windows.all[entry.window].main;
    if (entry.stage == Stage::embedding_fetch && on_main) fetches.push_back({entry.start_ns, entry.window});
  }
  std::vector<Consumer>& best = !named.empty() ? named : !others.empty() ? others : fetches;
  std::stable_sort(best.begin(), best.end(),
                   [](const Consumer& a, const Consumer& b) { return a.start_ns < b.start_ns; });
  return best;
}

// First in, first out: of the events of one keyword without a number, the k-th belongs to the k-th consumer.
void match_in_order(const StepModel& model, const std::vector<Consumer>& consumers,
                    std::vector<PrefetchEvent*>& events) {
  const auto start = model.host_ops[host_op::start_ns];
  size_t next = 0;
  for (PrefetchEvent* event : events) {
    while (next < consumers.size() && consumers[next].start_ns < start[event->row]) ++next;
    if (next == consumers.size()) return;
    const Window& from = model.windows.all[event->window];
    const Window& to = model.windows.all[consumers[next++].window];
    if (!from.number || !to.number) continue;
    event->target = PrefetchEvent::Target::order;
    event->depth = *to.number - *from.number;
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
  for (auto& [keyword, events] : unnumbered) match_in_order(model, consumers_of(model, all, keyword), events);
  std::vector<bool> is_chosen(model.windows.all.size());
  for (const uint32_t window : model.chosen) is_chosen[window] = true;
  std::erase_if(all, [&is_chosen](const PrefetchEvent& event) { return !is_chosen[event.window]; });
  return all;
}

}  // namespace stepwise::recsys_stages
