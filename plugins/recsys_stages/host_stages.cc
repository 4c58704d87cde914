#include "host_stages.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "by_code.h"

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;

bool is_range_category(std::string_view category) {
  return category == "user_annotation" || category.find("mstx") != std::string_view::npos;
}

class StageFinder {
 public:
  StageFinder(const sdk::TableView& host_ops, const Windows& windows, const Vocabulary& own)
      : name_(host_ops[host_op::name], [&own](std::string_view name) { return judge_name(name, own); }),
        is_range_(host_ops[host_op::category], is_range_category),
        start_(host_ops[host_op::start_ns]),
        dur_(host_ops[host_op::dur_ns]),
        pid_(host_ops[host_op::pid]),
        tid_(host_ops[host_op::tid]),
        parent_(host_ops[host_op::parent_id]),
        windows_(windows) {
    out_.entry_of_row.assign(host_ops.rows(), HostStages::kNone);
  }

  void take(uint64_t row) {
    const auto parent = parent_.get(row);
    // Rows stand in order of start, so that an enclosing call was seen before; anything else encloses nothing.
    const bool enclosed = parent && *parent >= 0 && static_cast<uint64_t>(*parent) < row;
    uint32_t entry = enclosed ? out_.entry_of_row[static_cast<uint64_t>(*parent)] : HostStages::kNone;
    if (entry == HostStages::kNone || !out_.entries[entry].is_range) {
      const NameVerdict verdict = name_(row);
      const bool is_range = verdict.stage != Stage::unclassified && is_range_(row);
      const bool placed = verdict.collective != Collective::none && verdict.collective != Collective::other;
      const bool says_something = verdict.stage != Stage::unclassified || placed;
      if (says_something && (entry == HostStages::kNone || is_range)) entry = add(row, verdict, is_range, entry);
    }
    out_.entry_of_row[row] = entry;
  }

  HostStages finish() {
    const std::vector<StageStarts> starts = stage_starts(out_.entries, windows_.all.size());
    for (Entry& entry : out_.entries) {
      if (entry.collective == Collective::none) continue;
      entry.stage = stage_of_collective(entry.collective, entry.start_ns, starts[entry.window]);
    }
    std::vector<std::vector<uint32_t>> of_thread(out_.threads.size());
    for (uint32_t i = 0; i < out_.entries.size(); ++i) {
      if (out_.entries[i].stage != Stage::unclassified) of_thread[out_.entries[i].thread].push_back(i);
    }
    for (const auto& in_order : of_thread) out_.segments.push_back(disjoint_segments(out_.entries, in_order));
    return std::move(out_);
  }

 private:
  uint32_t add(uint64_t row, const NameVerdict& verdict, bool is_range, uint32_t otherwise) {
    const auto window = windows_.at(start_[row]);
    if (!window) return otherwise;
    const Thread thread{pid_[row], tid_[row]};
    const auto [at, is_new] = threads_.try_emplace(thread, static_cast<uint32_t>(out_.threads.size()));
    if (is_new) out_.threads.push_back(thread);
    out_.entries.push_back(
        {row, start_[row], start_[row] + dur_[row], *window, at->second, verdict.stage, verdict.collective, is_range});
    return static_cast<uint32_t>(out_.entries.size() - 1);
  }

  ByCode<std::function<NameVerdict(std::string_view)>> name_;
  ByCode<decltype(&is_range_category)> is_range_;
  sdk::Column<table::Type::i64> start_, dur_, pid_, tid_, parent_;
  const Windows& windows_;
  std::map<Thread, uint32_t> threads_;
  HostStages out_;
};

}  // namespace

const Segment* segment_at(const std::vector<Segment>& segments, int64_t ns) {
  const auto after =
      std::upper_bound(segments.begin(), segments.end(), ns,
                       [](int64_t instant, const Segment& segment) { return instant < segment.start_ns; });
  if (after == segments.begin()) return nullptr;
  const Segment& segment = *std::prev(after);
  return ns < segment.end_ns ? &segment : nullptr;
}

HostStages find_host_stages(const sdk::Call& call, const sdk::TableView& host_ops, const Windows& windows,
                            const Vocabulary& own) {
  StageFinder finder(host_ops, windows, own);
  call.for_each_row(host_ops.rows(), [&finder](uint64_t row) { finder.take(row); });
  return finder.finish();
}

std::vector<Segment> disjoint_segments(const std::vector<Entry>& entries, const std::vector<uint32_t>& in_order) {
  std::vector<Segment> out;
  std::vector<uint32_t> open;
  int64_t covered_ns = 0;  // everything before is told
  const auto tell_until = [&](int64_t end_ns) {
    if (end_ns > covered_ns) out.push_back({covered_ns, end_ns, open.back()});
    covered_ns = std::max(covered_ns, end_ns);
  };
  const auto close_until = [&](int64_t ns) {
    while (!open.empty() && entries[open.back()].end_ns <= ns) {
      tell_until(entries[open.back()].end_ns);
      open.pop_back();
    }
  };
  for (const uint32_t index : in_order) {
    const int64_t start_ns = entries[index].start_ns;
    close_until(start_ns);
    if (!open.empty()) tell_until(start_ns);
    covered_ns = open.empty() ? start_ns : std::max(covered_ns, start_ns);
    open.push_back(index);
  }
  close_until(INT64_MAX);
  return out;
}

Stage stage_of_collective(Collective kind, int64_t start_ns, const StageStarts& starts) {
  switch (kind) {
    case Collective::all_to_all:
      return starts.backward_ns && start_ns >= *starts.backward_ns ? Stage::update_embedding : Stage::embedding_fetch;
    case Collective::all_reduce:
      return Stage::backward;
    case Collective::all_gather:
      return Stage::update_dense;
    case Collective::none:
    case Collective::other:
      break;
  }
  return Stage::unclassified;
}

StageClock::StageClock(const HostStages& host, const Windows& windows) : host_(host) {
  std::vector<uint32_t> on_main, on_others;
  for (uint32_t i = 0; i < host.entries.size(); ++i) {
    const Entry& entry = host.entries[i];
    if (entry.stage == Stage::unclassified) continue;
    const bool is_main = host.threads[entry.thread] == windows.all[entry.window].main;
    (is_main ? on_main : on_others).push_back(i);
  }
  main_ = disjoint_segments(host.entries, on_main);
  others_ = disjoint_segments(host.entries, on_others);
}

Stage StageClock::at(int64_t ns) const {
  const Segment* segment = segment_at(main_, ns);
  if (segment == nullptr) segment = segment_at(others_, ns);
  return segment == nullptr ? Stage::unclassified : host_.entries[segment->entry].stage;
}

std::vector<StageStarts> stage_starts(const std::vector<Entry>& entries, size_t windows) {
  std::vector<StageStarts> starts(windows);
  for (const Entry& entry : entries) {
    if (entry.stage != Stage::backward) continue;
    auto& backward_ns = starts[entry.window].backward_ns;
    backward_ns = std::min(backward_ns.value_or(entry.start_ns), entry.start_ns);
  }
  return starts;
}

}  // namespace stepwise::recsys_stages
