#include "core/ingest/timeline/trace_flows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "stepwise/tables_host.hpp"

namespace stepwise::ingest {
namespace {

/// Goes through the slices of several tables in order of start, at one start the longer first.
class SlicesByStart {
 public:
  struct Next {
    uint32_t table = 0, row = 0, track = 0;
    int64_t start_ns = 0, end_ns = 0;
  };
  explicit SlicesByStart(const std::vector<const SliceTable*>& tables) {
    for (const SliceTable* table : tables) cursors_.push_back({table->slices(), 0});
  }
  /// nullopt: none starts at or before the time any more.
  std::optional<Next> next_until(int64_t time_ns) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < cursors_.size(); ++i) {
      const Cursor& cursor = cursors_[i];
      if (cursor.row == cursor.slices.start_ns.size() || cursor.start() > time_ns) continue;
      if (best == UINT32_MAX ||
          std::tuple(cursor.start(), -cursor.dur()) < std::tuple(cursors_[best].start(), -cursors_[best].dur())) {
        best = i;
      }
    }
    if (best == UINT32_MAX) return std::nullopt;
    Cursor& cursor = cursors_[best];
    const Next next{best, static_cast<uint32_t>(cursor.row), cursor.slices.track[cursor.row], cursor.start(),
                    cursor.start() + cursor.dur()};
    ++cursor.row;
    return next;
  }

 private:
  struct Cursor {
    SliceColumns slices;
    size_t row = 0;
    int64_t start() const { return slices.start_ns[row]; }
    int64_t dur() const { return slices.dur_ns[row]; }
  };
  std::vector<Cursor> cursors_;
};

struct Losses {
  uint64_t count = 0;
  uint64_t first = UINT64_MAX;
  void add(uint64_t src_pos) {
    ++count;
    first = std::min(first, src_pos);
  }
  void report(Diagnostics& diagnostics, Diag diag, const std::string& file) const {
    if (count != 0) diagnostics.count(diag, file, static_cast<int64_t>(first), count);
  }
};

}  // namespace

/// An id may come again later: an end belongs to the last start before it, or, where clocks differ, to the first.
void FlowLinker::join(int64_t base_ns) {
  for (FlowRecord& flow : flows_) flow.ts_ns += base_ns;
  std::vector<uint32_t> order(flows_.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [this](uint32_t i) {
    const FlowRecord& flow = flows_[i];
    return std::tuple(flow.kind, flow.id, flow.ts_ns, flow.is_end, i);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });

  partner_.assign(flows_.size(), kNone);
  const auto same = [this](uint32_t a, uint32_t b) {
    return flows_[a].kind == flows_[b].kind && flows_[a].id == flows_[b].id;
  };
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    uint32_t first_start = kNone, last_start = kNone;
    for (; end < order.size() && same(order[begin], order[end]); ++end) {
      if (first_start == kNone && !flows_[order[end]].is_end) first_start = order[end];
    }
    for (size_t i = begin; i < end && first_start != kNone; ++i) {
      const uint32_t flow = order[i];
      if (!flows_[flow].is_end) {
        last_start = flow;
        continue;
      }
      partner_[flow] = last_start == kNone ? first_start : last_start;
      partner_[partner_[flow]] = flow;
    }
    begin = end;
  }
}

/// The innermost slice on the flow's track that holds its time; one that starts there is inside all others.
std::vector<FlowLinker::Slice> FlowLinker::bind(const FlowTargets& targets) const {
  struct Open {
    int64_t end_ns = 0;
    Slice slice;
  };
  std::vector<Slice> bound(flows_.size());
  std::vector<bool> has_flows(targets.track_count);
  std::vector<int64_t> times;
  times.reserve(flows_.size());
  for (const FlowRecord& flow : flows_) {
    has_flows[flow.track] = true;
    times.push_back(flow.ts_ns);
  }
  const std::vector<uint32_t> order = time_order(times);
  std::vector<std::vector<Open>> open_on(targets.track_count);
  SlicesByStart slices(targets.tables);
  for (size_t i = 0; i < flows_.size(); ++i) {
    const uint32_t index = order.empty() ? static_cast<uint32_t>(i) : order[i];
    const FlowRecord& flow = flows_[index];
    while (const auto next = slices.next_until(flow.ts_ns)) {
      if (!has_flows[next->track]) continue;
      std::vector<Open>& open = open_on[next->track];
      while (!open.empty() && open.back().end_ns <= next->start_ns) open.pop_back();
      open.push_back({next->end_ns, {next->table, next->row}});
    }
    std::vector<Open>& open = open_on[flow.track];
    while (!open.empty() && open.back().end_ns < flow.ts_ns) open.pop_back();
    if (!open.empty()) bound[index] = open.back().slice;
  }
  if (!targets.ids.empty()) prefer_same_id(targets, bound);
  return bound;
}

void FlowLinker::prefer_same_id(const FlowTargets& targets, std::vector<Slice>& bound) const {
  const auto key_of = [this](uint32_t i) {
    return std::tuple(flows_[i].ts_ns, flows_[i].track, static_cast<int64_t>(flows_[i].id));
  };
  std::vector<uint32_t> others;  // arrows that lie on a slice of another id, or on none
  for (uint32_t i = 0; i < flows_.size(); ++i) {
    const std::vector<int64_t>* const ids = bound[i].table == kNone ? nullptr : targets.ids[bound[i].table];
    if (ids == nullptr || (*ids)[bound[i].row] != static_cast<int64_t>(flows_[i].id)) others.push_back(i);
  }
  std::sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) { return key_of(a) < key_of(b); });
  std::vector<bool> is_done(others.size());  // the first of each key: for all of it

  for (uint32_t table = 0; table < targets.tables.size() && !others.empty(); ++table) {
    if (targets.ids[table] == nullptr) continue;
    const SliceColumns slices = targets.tables[table]->slices();
    for (uint32_t row = 0; row < slices.start_ns.size(); ++row) {
      const std::tuple key(slices.start_ns[row], slices.track[row], (*targets.ids[table])[row]);
      const auto first = std::lower_bound(others.begin(), others.end(), key,
                                          [&](uint32_t flow, const auto& wanted) { return key_of(flow) < wanted; });
      if (first == others.end() || key_of(*first) != key || is_done[static_cast<size_t>(first - others.begin())])
        continue;
      is_done[static_cast<size_t>(first - others.begin())] = true;
      for (auto flow = first; flow != others.end() && key_of(*flow) == key; ++flow) bound[*flow] = {table, row};
    }
  }
}

void FlowLinker::finish(store::SegmentBuilder& out, const FlowTargets& targets, Diagnostics& diagnostics,
                        const std::string& file) {
  namespace column = table::flow;
  const std::vector<Slice> bound = bind(targets);

  Losses unpaired, unbound;
  std::vector<int32_t> table_codes;
  for (const SliceTable* table : targets.tables) table_codes.push_back(out.dictionary().intern(table->name()));
  for (uint32_t i = 0; i < flows_.size(); ++i) {
    if (partner_[i] == kNone) {
      const bool is_usual =
          flows_[i].is_end && bound[i].table != kNone && targets.tables[bound[i].table] == targets.lone_ends_on;
      if (!is_usual) unpaired.add(src_pos_[i]);
      continue;
    }
    if (bound[i].table == kNone) unbound.add(src_pos_[i]);
    if (!flows_[i].is_end) continue;
    const Slice from = bound[partner_[i]], to = bound[i];
    if (from.table == kNone || to.table == kNone) continue;
    store::TableBuilder& rows = out.table(column::kTable);
    rows.append_code(column::kind, flows_[i].kind);
    rows.append_code(column::src_table, table_codes[from.table]);
    rows.append(column::src_id, int64_t{from.row});
    rows.append_code(column::dst_table, table_codes[to.table]);
    rows.append(column::dst_id, int64_t{to.row});
    rows.end_row();
  }
  unpaired.report(diagnostics, Diag::event_unpaired, file);
  unbound.report(diagnostics, Diag::event_flow_unbound, file);
  give_back(flows_);
  give_back(src_pos_);
  give_back(partner_);
}

}  // namespace stepwise::ingest
