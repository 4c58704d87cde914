#include "sequence_names.h"

#include <algorithm>
#include <array>

namespace stepwise::graph_fusion {
namespace {

/// Numbers for pairs, in the order of first appearance. Made anew for each length; as large as what is in it, since
/// most graphs have few different sequences.
class PairNames {
 public:
  int32_t name(int32_t shorter, int32_t type) {
    if (size() * 2 >= slots_.size()) grow();
    const uint64_t key = (static_cast<uint64_t>(static_cast<uint32_t>(shorter)) << 32) | static_cast<uint32_t>(type);
    Slot& slot = slot_of(key);
    if (slot.name == kUnnamed) slot = {key, next_++};
    return slot.name;
  }
  size_t size() const { return static_cast<size_t>(next_); }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t name = kUnnamed;
  };
  Slot& slot_of(uint64_t key) {
    uint64_t mixed = key * 0x9E3779B97F4A7C15ull;
    mixed ^= mixed >> 29;
    size_t at = static_cast<size_t>(mixed) & (slots_.size() - 1);
    while (slots_[at].name != kUnnamed && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& one : old) {
      if (one.name != kUnnamed) slot_of(one.key) = one;
    }
  }
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  int32_t next_ = 0;
};

NamesOfLength single_operators(const Sequence& sequence) {
  const size_t size = sequence.types.size();
  NamesOfLength names{std::vector<int32_t>(size), std::vector<int32_t>(size, kUnnamed), {}};
  PairNames numbers;
  for (size_t i = 0; i < size; ++i) {
    names.window[i] = numbers.name(0, sequence.types[i]);
    names.frequency.resize(numbers.size(), 0);
    ++names.frequency[static_cast<size_t>(names.window[i])];
  }
  return names;
}

}  // namespace

std::vector<NamesOfLength> name_sequences(const Sequence& sequence, const RepeatOptions& options, uint64_t& steps,
                                          const std::function<bool()>& is_cancelled) {
  const size_t size = sequence.types.size();
  std::vector<NamesOfLength> by_length{single_operators(sequence)};
  const std::vector<int32_t> types = by_length[0].window;
  std::vector<int64_t> tail(size);  // where the chain that starts there ends, at this length; -1: it is shorter
  for (size_t i = 0; i < size; ++i) tail[i] = static_cast<int64_t>(i);
  for (uint32_t length = 2; length <= options.max_length && length <= size; ++length) {
    if (is_cancelled()) break;
    const NamesOfLength& shorter = by_length.back();
    const auto occurs = [&](int32_t name) {
      return name != kUnnamed && shorter.frequency[static_cast<size_t>(name)] >= options.min_count;
    };
    const auto is_common = [&](size_t position) {
      return by_length[0].frequency[static_cast<size_t>(types[position])] >= options.min_count;
    };
    NamesOfLength names{std::vector<int32_t>(size, kUnnamed), std::vector<int32_t>(size, kUnnamed), {}};
    PairNames numbers;
    for (size_t i = 0; i < size; ++i) {
      ++steps;
      const bool was_window = tail[i] == static_cast<int64_t>(i) + length - 2;
      const int32_t chain = was_window ? shorter.window[i] : shorter.chain[i];
      tail[i] = tail[i] < 0 ? -1 : sequence.only_consumer[static_cast<size_t>(tail[i])];
      const size_t end = i + length - 1;
      if (end < size && occurs(shorter.window[i]) && is_common(end)) {
        names.window[i] = numbers.name(shorter.window[i], types[end]);
      }
      const bool is_window = tail[i] == static_cast<int64_t>(end);
      if (tail[i] >= 0 && !is_window && occurs(chain) && is_common(static_cast<size_t>(tail[i]))) {
        names.chain[i] = numbers.name(chain, types[static_cast<size_t>(tail[i])]);
      }
    }
    if (numbers.size() == 0) break;
    names.frequency.assign(numbers.size(), 0);
    for (size_t i = 0; i < size; ++i) {
      if (names.window[i] != kUnnamed) ++names.frequency[static_cast<size_t>(names.window[i])];
      if (names.chain[i] != kUnnamed) ++names.frequency[static_cast<size_t>(names.chain[i])];
    }
    by_length.push_back(std::move(names));
  }
  return by_length;
}

std::vector<uint64_t> connected_lengths(const Sequence& sequence, uint32_t max_length, uint64_t& steps) {
  const size_t size = sequence.types.size();
  if (!sequence.has_edges) return std::vector<uint64_t>(size, ~uint64_t{0});
  std::vector<uint64_t> lengths(size, 0);
  std::array<uint8_t, kMaxRepeatLength> parent{};
  const auto root = [&](size_t i) {
    while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  };
  for (size_t start = 0; start < size; ++start) {
    uint32_t parts = 0;
    for (uint32_t k = 0; k < max_length && start + k < size; ++k) {
      parent[k] = static_cast<uint8_t>(k);
      ++parts;
      const std::vector<uint32_t>& earlier = sequence.earlier[start + k];
      for (size_t i = earlier.size(); i-- > 0 && earlier[i] >= start;) {
        ++steps;
        const size_t a = root(earlier[i] - start), b = root(k);
        if (a == b) continue;
        parent[b] = static_cast<uint8_t>(a);
        --parts;
      }
      if (parts == 1) lengths[start] |= uint64_t{1} << k;
    }
  }
  return lengths;
}

}  // namespace stepwise::graph_fusion
