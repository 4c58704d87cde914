#include "core/ingest/timeline/trace_nesting.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace stepwise::ingest {
namespace {

struct Open {
  int64_t end_ns;
  uint32_t row;
};

/// The rows in which calls began: by start, and at one start by number where numbers are believed.
class CallSequence {
 public:
  CallSequence(const SliceColumns& slices, std::span<const int64_t> call_order, size_t track_count)
      : slices_(slices), call_order_(call_order), last_(track_count, -1), believed_(track_count, !call_order.empty()) {
    if (call_order.empty()) return;
    for_each_start([this](std::span<const uint32_t> rows) { doubt(rows); });
  }

  /// Calls take(row) for each row.
  template <class Take>
  void for_each_call(Take take) {
    if (call_order_.empty()) {
      for (size_t row = 0; row < slices_.start_ns.size(); ++row) take(static_cast<uint32_t>(row));
      return;
    }
    for_each_start([&](std::span<const uint32_t> rows) {
      for (const uint32_t row : rows) take(row);
    });
  }

 private:
  /// A track's numbers must grow, and of calls that begin at one time those with a length must lie in each other.
  void doubt(std::span<const uint32_t> rows) {
    int64_t shortest_ns = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint32_t track = slices_.track[rows[i]];
      if (i == 0 || slices_.track[rows[i - 1]] != track) shortest_ns = INT64_MAX;
      const int64_t number = call_order_[rows[i]], dur_ns = slices_.dur_ns[rows[i]];
      if (number <= last_[track] || dur_ns > shortest_ns) believed_[track] = false;
      last_[track] = std::max(last_[track], number);
      if (dur_ns > 0) shortest_ns = std::min(shortest_ns, dur_ns);
    }
  }

  /// Tracks know nothing of each other, so the rows of one start may be taken track by track.
  template <class Take>
  void for_each_start(Take take) {
    const size_t count = slices_.start_ns.size();
    std::vector<uint32_t> rows;
    for (size_t begin = 0; begin < count;) {
      rows.clear();
      size_t end = begin;
      for (; end < count && slices_.start_ns[end] == slices_.start_ns[begin]; ++end) {
        rows.push_back(static_cast<uint32_t>(end));
      }
      begin = end;
      if (rows.size() > 1) {
        std::sort(rows.begin(), rows.end(), [this](uint32_t a, uint32_t b) { return place_of(a) < place_of(b); });
      }
      take(std::span<const uint32_t>(rows));
    }
  }
  std::tuple<uint32_t, int64_t, uint32_t> place_of(uint32_t row) const {
    const uint32_t track = slices_.track[row];
    return {track, believed_[track] ? call_order_[row] : 0, row};
  }

  const SliceColumns& slices_;
  const std::span<const int64_t> call_order_;
  std::vector<int64_t> last_;
  std::vector<bool> believed_;
};

bool has_whole_microseconds(const SliceColumns& slices) {
  for (size_t row = 0; row < slices.start_ns.size(); ++row) {
    if ((slices.start_ns[row] - slices.start_ns[0]) % 1000 != 0 || slices.dur_ns[row] % 1000 != 0) return false;
  }
  return true;
}

uint64_t pair_of(int32_t a, int32_t b) { return uint64_t{static_cast<uint32_t>(a)} << 32 | static_cast<uint32_t>(b); }

/// How often a call of one name lies in a call of another. Each call inside another stands for two families: its name
/// where its outer one is, and its name anywhere.
class NamesInside {
 public:
  void want(int32_t outer, int32_t inner) {
    mark(outer_, outer);
    mark(inner_, inner);
  }
  bool wants_outer(int32_t name) const { return is_marked(outer_, name); }
  bool wants_inner(int32_t name) const { return is_marked(inner_, name); }

  void add_outer(int32_t around, int32_t name) {
    ++calls_[pair_of(around, name)];
    ++calls_[pair_of(kAnywhere, name)];
  }
  void add_inner(int32_t around, int32_t outer, int32_t name) {
    ++inside_[pair_of(around, outer)][name];
    ++inside_[pair_of(kAnywhere, outer)][name];
  }
  /// The mean number of calls of a name; 0: there is nothing to tell it by.
  double mean_inside(int32_t around, int32_t outer, int32_t name) const {
    for (const int32_t where : {around, kAnywhere}) {
      const auto calls = calls_.find(pair_of(where, outer));
      if (calls == calls_.end()) continue;
      const auto of_outer = inside_.find(pair_of(where, outer));
      if (of_outer == inside_.end()) return 0;
      const auto of_name = of_outer->second.find(name);
      if (of_name == of_outer->second.end()) return 0;
      return static_cast<double>(of_name->second) / static_cast<double>(calls->second);
    }
    return 0;
  }

 private:
  static constexpr int32_t kAnywhere = -2;  // -1 stands for no outer call, and for no name
  static void mark(std::vector<bool>& names, int32_t name) {
    const auto at = static_cast<size_t>(name + 1);
    if (at >= names.size()) names.resize(at + 1);
    names[at] = true;
  }
  static bool is_marked(const std::vector<bool>& names, int32_t name) {
    const auto at = static_cast<size_t>(name + 1);
    return at < names.size() && names[at];
  }
  std::vector<bool> outer_, inner_;  // by name
  std::unordered_map<uint64_t, uint64_t> calls_;
  std::unordered_map<uint64_t, std::unordered_map<int32_t, uint64_t>> inside_;
};

class Nester {
 public:
  Nester(const SliceColumns& slices, size_t track_count, const NestingHints& hints)
      : slices_(slices),
        names_(hints.name),
        track_count_(track_count),
        sequence_(slices, hints.call_order, track_count),
        rounds_(!hints.name.empty() && has_whole_microseconds(slices)) {}

  Nesting take() {
    if (rounds_) flags_.resize(slices_.start_ns.size(), 0);
    bool has_doubts = false;
    nest([this, &has_doubts](uint32_t outer, uint32_t inner) {
      flags_[outer] |= kTouched;
      flags_[inner] |= kInDoubt;
      names_inside_.want(names_[outer], names_[inner]);
      has_doubts = true;
      return false;
    });
    if (has_doubts) {
      count_names();
      is_deciding_ = true;
      nest([this](uint32_t outer, uint32_t inner) { return holds(outer, inner); });
    }
    return std::move(nesting_);
  }

 private:
  static constexpr uint8_t kTouched = 1;  // another without length begins at its end
  static constexpr uint8_t kInDoubt = 2;  // it is such a one

  /// holds_at_end(outer, inner): whether a slice without length lies in one that ends where it begins.
  template <class HoldsAtEnd>
  void nest(HoldsAtEnd holds_at_end) {
    const size_t count = slices_.start_ns.size();
    nesting_ = {};
    nesting_.parent.resize(count, Nesting::kNone);
    nesting_.depth.resize(count, 0);
    nesting_.overflow.resize(count, 0);
    std::vector<std::vector<Open>> open_on(track_count_);
    sequence_.for_each_call([&](uint32_t row) {
      std::vector<Open>& open = open_on[slices_.track[row]];
      const int64_t start = slices_.start_ns[row], end = start + slices_.dur_ns[row];
      while (!open.empty() && open.back().end_ns <= start) {
        const bool may_hold = rounds_ && start == end && open.back().end_ns == start;
        if (may_hold && holds_at_end(open.back().row, row)) break;
        open.pop_back();
      }
      if (!open.empty() && open.back().end_ns < end) {
        const int64_t place = slices_.src_pos[row];
        if (nesting_.overlapping++ == 0 || place < nesting_.first_overlapping_at) nesting_.first_overlapping_at = place;
        nesting_.overflow[row] = 1;
        while (!open.empty() && open.back().end_ns < end) open.pop_back();
      }
      if (!open.empty()) put_inside(open.back().row, row);
      open.push_back({end, row});
    });
  }

  void put_inside(uint32_t outer, uint32_t inner) {
    nesting_.parent[inner] = outer;
    nesting_.depth[inner] = nesting_.depth[outer] + 1;
    if (is_deciding_ && (flags_[outer] & kTouched) != 0 && names_inside_.wants_inner(names_[inner])) {
      ++inside_so_far_[pair_of_row(outer, names_[inner])];
    }
  }

  int32_t name_around(uint32_t row) const {
    const uint32_t outer = nesting_.parent[row];
    return outer == Nesting::kNone ? -1 : names_[outer];
  }

  void count_names() {
    for (size_t i = 0; i < flags_.size(); ++i) {
      const auto row = static_cast<uint32_t>(i);
      if (flags_[row] == 0 && names_inside_.wants_outer(names_[row])) {
        names_inside_.add_outer(name_around(row), names_[row]);
      }
      const uint32_t outer = nesting_.parent[row];
      if (outer == Nesting::kNone || flags_[outer] != 0 || (flags_[row] & kInDoubt) != 0) continue;
      if (names_inside_.wants_outer(names_[outer]) && names_inside_.wants_inner(names_[row])) {
        names_inside_.add_inner(name_around(outer), names_[outer], names_[row]);
      }
    }
  }

  bool holds(uint32_t outer, uint32_t inner) const {
    const auto so_far = inside_so_far_.find(pair_of_row(outer, names_[inner]));
    const double count = so_far == inside_so_far_.end() ? 0 : static_cast<double>(so_far->second);
    return names_inside_.mean_inside(name_around(outer), names_[outer], names_[inner]) > count + 0.5;
  }
  static uint64_t pair_of_row(uint32_t row, int32_t name) { return uint64_t{row} << 32 | static_cast<uint32_t>(name); }

  const SliceColumns& slices_;
  const std::span<const int32_t> names_;
  const size_t track_count_;
  CallSequence sequence_;
  const bool rounds_;
  Nesting nesting_;
  std::vector<uint8_t> flags_;  // of each row, in a table of whole microseconds
  bool is_deciding_ = false;    // by what was counted
  NamesInside names_inside_;
  std::unordered_map<uint64_t, uint32_t> inside_so_far_;  // calls of a name in a touched one
};

}  // namespace

Nesting nest(const SliceColumns& slices, size_t track_count, const NestingHints& hints) {
  return Nester(slices, track_count, hints).take();
}

}  // namespace stepwise::ingest
