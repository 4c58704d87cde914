#include "host_waits.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "by_code.h"

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;
namespace runtime_api = table::runtime_api;

constexpr uint64_t kNoRow = UINT64_MAX;
// A copy that takes the host so long does not only start one: it waits for memory that the device can reach.
constexpr int64_t kBlockingCopyNs = 1'000'000;

struct Candidate {
  Wait wait;
  uint64_t host_row = kNoRow;  // kNoRow: a call of the driver
};

std::optional<WaitKind> judge(std::string_view name, bool of_driver) {
  if (const auto kind = wait_kind(name)) return kind;
  return of_driver && name.find("emcpy") != std::string_view::npos ? std::optional(WaitKind::copy) : std::nullopt;
}

// Rows of a table of host calls that wait. A call inside another one that waits counts with that; the table says what
// is inside, since printed times may be the same of two that follow each other.
template <class Name, class Start, class Dur, class Tid, class Parent>
void collect(const sdk::Call& call, const sdk::TableView& calls, Name name, Start start, Dur dur, Tid tid,
             Parent parent, bool of_driver, std::vector<Candidate>& out) {
  const auto names = calls[name];
  ByCode kind_of(names, [of_driver](std::string_view text) { return judge(text, of_driver); });
  std::vector<bool> in_wait(calls.rows());
  call.for_each_row(calls.rows(), [&](uint64_t row) {
    const auto outer = calls[parent].get(row);
    const bool inside =
        outer && *outer >= 0 && static_cast<uint64_t>(*outer) < row && in_wait[static_cast<uint64_t>(*outer)];
    const int32_t code = names.code(row);
    const bool waits =
        code >= 0 && kind_of(row) && (kind_of(row) != WaitKind::copy || calls[dur][row] >= kBlockingCopyNs);
    in_wait[row] = waits || inside;
    if (!waits || inside) return;
    Candidate candidate;
    candidate.wait.start_ns = calls[start][row];
    candidate.wait.end_ns = candidate.wait.start_ns + calls[dur][row];
    candidate.wait.tid = calls[tid][row];
    candidate.wait.name = names.text_of(code);
    candidate.wait.kind = *kind_of(row);
    if (!of_driver) candidate.host_row = row;
    out.push_back(candidate);
  });
}

class Placer {
 public:
  Placer(const Windows& windows, const HostStages& host) : windows_(windows), host_(host) {
    for (uint32_t i = 0; i < host.threads.size(); ++i) threads_.emplace(host.threads[i].tid, i);
  }

  /// False: it belongs to no stage and to no step's main thread.
  bool place(const Candidate& candidate, Wait& wait) const {
    if (candidate.host_row != kNoRow) {
      const uint32_t entry = host_.entry_of_row[candidate.host_row];
      if (entry != HostStages::kNone && host_.entries[entry].stage != Stage::unclassified) {
        return in_entry(entry, wait);
      }
    } else {
      const auto [first, last] = threads_.equal_range(wait.tid);
      for (auto it = first; it != last; ++it) {
        const Segment* segment = segment_at(host_.segments[it->second], wait.start_ns);
        if (segment != nullptr) return in_entry(segment->entry, wait);
      }
    }
    const auto window = windows_.at(wait.start_ns);
    if (!window || windows_.all[*window].main.tid != wait.tid) return false;
    wait.window = *window;
    wait.stage = Stage::unclassified;
    return true;
  }

 private:
  bool in_entry(uint32_t entry, Wait& wait) const {
    wait.window = host_.entries[entry].window;
    wait.stage = host_.entries[entry].stage;
    return true;
  }

  const Windows& windows_;
  const HostStages& host_;
  std::multimap<int64_t, uint32_t> threads_;  // by thread id
};

}  // namespace

std::vector<Wait> find_waits(sdk::Call& call, uint32_t rank, const sdk::TableView& host_ops, const Windows& windows,
                             const HostStages& host) {
  std::vector<Candidate> candidates;
  collect(call, host_ops, host_op::name, host_op::start_ns, host_op::dur_ns, host_op::tid, host_op::parent_id, false,
          candidates);
  if (const auto driver = call.table(rank, runtime_api::kTable)) {
    collect(call, *driver, runtime_api::name, runtime_api::start_ns, runtime_api::dur_ns, runtime_api::tid,
            runtime_api::parent_id, true, candidates);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.wait.tid, a.wait.start_ns, -a.wait.end_ns) <
           std::tuple(b.wait.tid, b.wait.start_ns, -b.wait.end_ns);
  });
  const Placer placer(windows, host);
  std::vector<Wait> waits;
  for (Candidate& candidate : candidates) {
    Wait& wait = candidate.wait;
    // A call of the driver in a wait of the framework.
    const bool nested = !waits.empty() && waits.back().tid == wait.tid && wait.end_ns <= waits.back().end_ns &&
                        wait.start_ns < waits.back().end_ns;
    if (!nested && placer.place(candidate, wait)) waits.push_back(wait);
  }
  return waits;
}

}  // namespace stepwise::recsys_stages
