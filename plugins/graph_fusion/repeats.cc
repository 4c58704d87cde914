#include "repeats.h"

#include <algorithm>
#include <optional>

#include "sequence_names.h"

namespace stepwise::graph_fusion {
namespace {

/// What occurs of one length, by name.
struct Counts {
  std::vector<uint64_t> overlapping;  // instances
  std::vector<uint64_t> disjoint;     // greedily from the left; 0 where there are fewer instances than wanted
};

/// Instances of the names that count, name by name, in the order of their starts.
struct InstanceLists {
  std::vector<uint32_t> begin;
  std::vector<Instance> items;
};

class Finder {
 public:
  Finder(const Sequence& sequence, const RepeatOptions& options, const std::function<bool()>& is_cancelled)
      : sequence_(sequence), options_(options), is_cancelled_(is_cancelled) {
    names_ = name_sequences(sequence, options, result_.steps, is_cancelled);
    connected_ = connected_lengths(sequence, options.max_length, result_.steps);
    if (sequence.has_edges) find_previous();
  }

  RepeatResult run() {
    const auto longest = static_cast<uint32_t>(names_.size());
    counts_.resize(names_.size());
    // From the longest down: whether a sequence lies in a longer one is asked of longer ones only.
    for (uint32_t length = longest; length >= options_.min_length && !is_cancelled_(); --length) {
      const InstanceLists lists = count(length);
      keep_closed(length, lists);
    }
    return std::move(result_);
  }

 private:
  const NamesOfLength& names(uint32_t length) const { return names_[length - 1]; }
  bool is_connected(uint32_t length, size_t start) const { return ((connected_[start] >> (length - 1)) & 1) != 0; }

  /// The chains that a chain continues, to the left.
  void find_previous() {
    const size_t size = sequence_.types.size();
    previous_begin_.assign(size + 1, 0);
    for (const int64_t next : sequence_.only_consumer) {
      if (next >= 0) ++previous_begin_[static_cast<size_t>(next) + 1];
    }
    for (size_t i = 0; i < size; ++i) previous_begin_[i + 1] += previous_begin_[i];
    previous_.resize(previous_begin_[size]);
    std::vector<uint32_t> at(previous_begin_.begin(), previous_begin_.end() - 1);
    for (size_t i = 0; i < size; ++i) {
      if (sequence_.only_consumer[i] >= 0) {
        previous_[at[static_cast<size_t>(sequence_.only_consumer[i])]++] = static_cast<uint32_t>(i);
      }
    }
  }

  template <class Visit>
  void each_instance(uint32_t length, Visit visit) {
    const NamesOfLength& all = names(length);
    for (uint32_t i = 0; i < all.window.size(); ++i) {
      ++result_.steps;
      if (all.window[i] != kUnnamed && is_connected(length, i)) visit(static_cast<size_t>(all.window[i]), i, false);
      if (all.chain[i] != kUnnamed) visit(static_cast<size_t>(all.chain[i]), i, true);
    }
  }

  InstanceLists count(uint32_t length) {
    Counts& counts = counts_[length - 1];
    const size_t how_many = names(length).frequency.size();
    counts.overlapping.assign(how_many, 0);
    counts.disjoint.assign(how_many, 0);
    each_instance(length, [&](size_t name, uint32_t, bool) { ++counts.overlapping[name]; });
    InstanceLists lists;
    lists.begin.assign(how_many + 1, 0);
    for (size_t name = 0; name < how_many; ++name) {
      const uint64_t wanted = counts.overlapping[name] >= options_.min_count ? counts.overlapping[name] : 0;
      lists.begin[name + 1] = lists.begin[name] + static_cast<uint32_t>(wanted);
    }
    lists.items.resize(lists.begin[how_many]);
    std::vector<uint32_t> at(lists.begin.begin(), lists.begin.end() - 1);
    each_instance(length, [&](size_t name, uint32_t start, bool is_chain) {
      if (lists.begin[name] < lists.begin[name + 1]) lists.items[at[name]++] = {start, is_chain};
    });
    for (size_t name = 0; name < how_many; ++name) {
      if (lists.begin[name] < lists.begin[name + 1]) counts.disjoint[name] = disjoint(length, lists, name).size();
    }
    return lists;
  }

  std::vector<Instance> disjoint(uint32_t length, const InstanceLists& lists, size_t name) {
    const auto first = lists.items.begin() + lists.begin[name], last = lists.items.begin() + lists.begin[name + 1];
    std::vector<Instance> chosen;
    if (std::none_of(first, last, [](const Instance& one) { return one.is_chain; })) {
      uint64_t free_from = 0;
      for (auto it = first; it != last; ++it) {
        ++result_.steps;
        if (it->start < free_from) continue;
        chosen.push_back(*it);
        free_from = it->start + length;
      }
      return chosen;
    }
    // Chains leave gaps that others may lie in, so each operator is asked.
    used_.resize(sequence_.types.size(), 0);
    ++use_;
    for (auto it = first; it != last; ++it) {
      const std::vector<uint32_t> positions = positions_of(sequence_, *it, length);
      result_.steps += length;
      if (std::any_of(positions.begin(), positions.end(), [&](uint32_t p) { return used_[p] == use_; })) continue;
      for (const uint32_t p : positions) used_[p] = use_;
      chosen.push_back(*it);
    }
    return chosen;
  }

  void keep_closed(uint32_t length, const InstanceLists& lists) {
    const Counts& counts = counts_[length - 1];
    for (size_t name = 0; name < counts.disjoint.size(); ++name) {
      if (counts.disjoint[name] < options_.min_count) continue;
      if (lies_in_longer(length, lists, name)) continue;
      Repeat repeat;
      repeat.length = length;
      repeat.count_overlapping = counts.overlapping[name];
      repeat.instances = disjoint(length, lists, name);
      result_.repeats.push_back(std::move(repeat));
    }
  }

  /// A longer sequence around an instance: `left` operators more before it, `length` in all.
  struct Around {
    uint32_t length, left;
    int32_t name;
  };

  /// What lies around it, as window or as chain; first: only the first of its chains that fits.
  template <class Visit>
  void each_around(const Instance& instance, uint32_t length, uint32_t left, Visit visit) {
    const NamesOfLength& longer = names(length);
    if (!instance.is_chain && instance.start >= left && longer.window[instance.start - left] != kUnnamed) {
      visit(longer.window[instance.start - left], instance.start - left, false);
    }
    if (!sequence_.has_edges) return;
    int visits = 0;
    each_chain_start(instance.start, left, visits, [&](uint32_t start) {
      if (longer.chain[start] != kUnnamed && covers(start, left, length, instance))
        visit(longer.chain[start], start, true);
    });
  }

  /// Starts of chains that reach `start` after `left` operators. A tree may have many: the first 64 visits decide.
  template <class Visit>
  void each_chain_start(uint32_t start, uint32_t left, int& visits, const Visit& visit) {
    constexpr int kMaxVisits = 64;
    ++visits;
    ++result_.steps;
    if (left == 0) return visit(start);
    for (uint32_t i = previous_begin_[start]; i < previous_begin_[start + 1] && visits < kMaxVisits; ++i) {
      each_chain_start(previous_[i], left - 1, visits, visit);
    }
  }

  /// Whether the chain's operators after `left` of them are the instance's. A window need not be a chain.
  bool covers(uint32_t start, uint32_t left, uint32_t length, const Instance& instance) {
    if (instance.is_chain) return true;
    int64_t at = start;
    for (uint32_t k = 0; k < left; ++k) at = sequence_.only_consumer[static_cast<size_t>(at)];
    for (uint32_t k = 0; k < current_length_ && left + k < length; ++k) {
      if (at != static_cast<int64_t>(instance.start + k)) return false;
      at = sequence_.only_consumer[static_cast<size_t>(at)];
    }
    return true;
  }

  bool lies_in_longer(uint32_t length, const InstanceLists& lists, size_t name) {
    current_length_ = length;
    const Counts& counts = counts_[length - 1];
    const uint64_t instances = counts.overlapping[name];
    const Instance first = lists.items[lists.begin[name]];
    const auto longest = static_cast<uint32_t>(names_.size());
    // Which extensions of the level before occur often enough; further ones need one of these.
    std::vector<uint8_t> reached{1};
    for (uint32_t more = 1; length + more <= longest; ++more) {
      std::vector<uint8_t> now(more + 1, 0);
      bool any = false;
      for (uint32_t left = 0; left <= more; ++left) {
        const bool from_right = left < more && reached[left] != 0, from_left = left > 0 && reached[left - 1] != 0;
        if (!from_right && !from_left) continue;
        std::optional<Around> same;
        each_around(first, length + more, left, [&](int32_t around, uint32_t start, bool is_chain) {
          const auto index = static_cast<size_t>(around);
          if (names(length + more).frequency[index] < instances) return;
          now[left] = 1;
          any = true;
          const Counts& longer = counts_[length + more - 1];
          const bool is_instance = is_chain || is_connected(length + more, start);
          if (is_instance && longer.overlapping[index] == instances &&
              longer.disjoint[index] == counts.disjoint[name]) {
            same = Around{length + more, left, around};
          }
        });
        if (same && all_lie_in(*same, lists, name)) return true;
      }
      if (!any) return false;
      reached = std::move(now);
    }
    return false;
  }

  bool all_lie_in(const Around& around, const InstanceLists& lists, size_t name) {
    for (uint32_t i = lists.begin[name]; i < lists.begin[name + 1]; ++i) {
      ++result_.steps;
      bool lies = false;
      each_around(lists.items[i], around.length, around.left, [&](int32_t other, uint32_t start, bool is_chain) {
        lies = lies || (other == around.name && (is_chain || is_connected(around.length, start)));
      });
      if (!lies) return false;
    }
    return true;
  }

  const Sequence& sequence_;
  const RepeatOptions& options_;
  const std::function<bool()>& is_cancelled_;
  std::vector<NamesOfLength> names_;
  std::vector<uint64_t> connected_;
  std::vector<Counts> counts_;
  std::vector<uint32_t> previous_begin_, previous_;
  std::vector<uint32_t> used_;
  uint32_t use_ = 0, current_length_ = 0;
  RepeatResult result_;
};

}  // namespace

RepeatResult find_repeats(const Sequence& sequence, const RepeatOptions& options,
                          const std::function<bool()>& is_cancelled) {
  if (sequence.types.empty()) return {};
  return Finder(sequence, options, is_cancelled).run();
}

std::vector<uint32_t> positions_of(const Sequence& sequence, const Instance& instance, uint32_t length) {
  std::vector<uint32_t> positions{instance.start};
  for (uint32_t k = 1; k < length; ++k) {
    positions.push_back(instance.is_chain ? static_cast<uint32_t>(sequence.only_consumer[positions.back()])
                                          : instance.start + k);
  }
  return positions;
}

}  // namespace stepwise::graph_fusion
