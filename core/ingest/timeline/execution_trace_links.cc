#include "core/ingest/timeline/execution_trace_links.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/ingest/base/set_value.h"
#include "stepwise/tables_host.hpp"

namespace stepwise::ingest {
namespace {

namespace host_op = table::host_op;

constexpr size_t kMaxThreads = 256;  // each is compared with each of the other side
constexpr int32_t kOtherName = -1;   // that no call of the execution trace has

/// The calls of one thread as they began: what stands for their names, and which they are.
struct ThreadCalls {
  std::vector<int32_t> names;
  std::vector<size_t> calls;  // nodes of the execution trace, or rows of host_op
};

class Names {
 public:
  int32_t number_of(std::string_view name) {
    return numbers_.try_emplace(name, static_cast<int32_t>(numbers_.size())).first->second;
  }
  int32_t find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? kOtherName : found->second;
  }

 private:
  std::unordered_map<std::string_view, int32_t> numbers_;
};

std::vector<ThreadCalls> traced_threads(const TracedNodes& traced, Names& names) {
  std::map<int64_t, ThreadCalls> by_thread;
  for (size_t i = 0; i < traced.nodes.size(); ++i) {
    if (traced.nodes[i].external_id && traced.calls[i].thread) by_thread[*traced.calls[i].thread].calls.push_back(i);
  }
  std::vector<ThreadCalls> threads;
  for (auto& [thread, calls] : by_thread) {
    std::stable_sort(calls.calls.begin(), calls.calls.end(),
                     [&](size_t a, size_t b) { return traced.calls[a].id < traced.calls[b].id; });
    for (const size_t call : calls.calls) calls.names.push_back(names.number_of(traced.nodes[call].name));
    threads.push_back(std::move(calls));
  }
  return threads;
}

std::vector<ThreadCalls> timed_threads(store::TableBuilder& rows, std::optional<int64_t> process,
                                       std::span<const int64_t> own_ids, const Names& names) {
  const std::vector<int64_t>&pid = rows.values(host_op::pid), &tid = rows.values(host_op::tid),
        &start_ns = rows.values(host_op::start_ns);
  const store::ColumnBuffer& numbers = rows.column(host_op::external_id);
  std::map<std::pair<int64_t, int64_t>, ThreadCalls> by_thread;
  for (size_t row = 0; row < pid.size(); ++row) {
    if (process && pid[row] != *process) continue;
    if (numbers.is_null(row)) by_thread[{pid[row], tid[row]}].calls.push_back(row);
  }
  std::vector<int32_t> name_of(rows.dictionary().size(), kOtherName);  // by code
  for (size_t code = 0; code < name_of.size(); ++code) {
    name_of[code] = names.find(rows.dictionary().at(static_cast<int32_t>(code)));
  }
  std::vector<ThreadCalls> threads;
  for (auto& [thread, calls] : by_thread) {
    std::stable_sort(calls.calls.begin(), calls.calls.end(), [&](size_t a, size_t b) {
      return std::tie(start_ns[a], own_ids[a]) < std::tie(start_ns[b], own_ids[b]);
    });
    for (const size_t row : calls.calls) {
      calls.names.push_back(name_of[static_cast<size_t>(rows.values(host_op::name)[row])]);
    }
    threads.push_back(std::move(calls));
  }
  return threads;
}

/// How the calls of two threads stand beside one another, from the first that both have.
struct Match {
  const ThreadCalls *traced = nullptr, *timed = nullptr;
  size_t first_traced = 0, first_timed = 0;

  size_t length() const { return std::min(traced->calls.size() - first_traced, timed->calls.size() - first_timed); }
};

std::optional<Match> match(const ThreadCalls& traced, const ThreadCalls& timed) {
  const bool is_within = traced.names.size() <= timed.names.size();
  const size_t place = is_within ? only_place_of(traced.names, timed.names) : only_place_of(timed.names, traced.names);
  if (place == SIZE_MAX) return std::nullopt;
  return Match{&traced, &timed, is_within ? 0 : place, is_within ? place : 0};
}

/// Each thread with one other at most: the longest matches first, since short ones may be chance. Of matches as long
/// that share a thread, none.
std::vector<Match> clear_matches(std::vector<Match> all) {
  std::stable_sort(all.begin(), all.end(), [](const Match& a, const Match& b) { return a.length() > b.length(); });
  std::set<const ThreadCalls*> taken;
  std::vector<Match> clear;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const Match& one) { return one.length() < begin->length(); });
    const auto is_free = [&](const Match& one) { return !taken.contains(one.traced) && !taken.contains(one.timed); };
    std::map<const ThreadCalls*, int> times;
    const auto beyond = std::stable_partition(begin, end, is_free);
    std::for_each(begin, beyond, [&](const Match& one) { ++times[one.traced], ++times[one.timed]; });
    std::copy_if(begin, beyond, std::back_inserter(clear),
                 [&](const Match& one) { return times[one.traced] == 1 && times[one.timed] == 1; });
    for (const auto& [thread, count] : times) taken.insert(thread);
    begin = end;
  }
  return clear;
}

std::vector<Match> matches(const std::vector<ThreadCalls>& traced, const std::vector<ThreadCalls>& timed) {
  std::vector<Match> all;
  for (const ThreadCalls& one : traced) {
    for (const ThreadCalls& other : timed) {
      if (const auto found = match(one, other)) all.push_back(*found);
    }
  }
  return all;
}

}  // namespace

size_t only_place_of(std::span<const int32_t> part, std::span<const int32_t> all) {
  if (part.empty()) return SIZE_MAX;
  // Knuth, Morris and Pratt: border[i] is the length of the longest start of `part` that part[0..i] ends with.
  std::vector<size_t> border(part.size(), 0);
  for (size_t i = 1, length = 0; i < part.size(); ++i) {
    while (length > 0 && part[i] != part[length]) length = border[length - 1];
    if (part[i] == part[length]) ++length;
    border[i] = length;
  }
  size_t place = SIZE_MAX;
  for (size_t i = 0, length = 0; i < all.size(); ++i) {
    while (length > 0 && (length == part.size() || all[i] != part[length])) length = border[length - 1];
    if (all[i] == part[length]) ++length;
    if (length < part.size()) continue;
    if (place != SIZE_MAX) return SIZE_MAX;
    place = i + 1 - part.size();
  }
  return place;
}

void link_calls_by_order(const TracedNodes& traced, const std::string& trace_file, std::span<const int64_t> own_ids,
                         store::SegmentBuilder& timeline, Diagnostics& diagnostics) {
  if (!timeline.has(host_op::kTable)) return;
  store::TableBuilder& rows = timeline.table(host_op::kTable);
  Names names;
  const std::vector<ThreadCalls> of_trace = traced_threads(traced, names);
  const std::vector<ThreadCalls> of_timeline = timed_threads(rows, traced.process, own_ids, names);
  uint64_t calls = 0, linked = 0;
  for (const GraphNode& node : traced.nodes) calls += node.external_id ? 1 : 0;
  if (of_trace.size() <= kMaxThreads && of_timeline.size() <= kMaxThreads) {
    for (const Match& one : clear_matches(matches(of_trace, of_timeline))) {
      linked += one.length();
      for (size_t i = 0; i < one.length(); ++i) {
        const size_t node = one.traced->calls[one.first_traced + i];
        set_integer(rows.column(host_op::external_id), one.timed->calls[one.first_timed + i],
                    *traced.nodes[node].external_id);
      }
    }
  }
  diagnostics.count(Diag::calls_linked_by_order, trace_file, std::nullopt, linked);
  diagnostics.count(Diag::calls_not_linked, trace_file, std::nullopt, calls - linked);
}

}  // namespace stepwise::ingest
