// Rows of a table of slices by an id that several of them may have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stepwise::ingest {

class RowsById {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// Rows come in order of start.
  void add(int64_t id, uint32_t row) { rows_.emplace_back(id, row); }
  /// After the last one.
  void finish() { std::sort(rows_.begin(), rows_.end()); }
  /// Of several rows with one id the last that starts at or before the time, else the first.
  uint32_t find(int64_t id, int64_t time_ns, std::span<const int64_t> start_ns) const {
    const auto begin = std::lower_bound(rows_.begin(), rows_.end(), std::pair(id, uint32_t{0}));
    if (begin == rows_.end() || begin->first != id) return kNone;
    const auto behind = std::partition_point(
        begin, rows_.end(), [&](const auto& one) { return one.first == id && start_ns[one.second] <= time_ns; });
    return behind == begin ? begin->second : behind[-1].second;
  }
  bool empty() const { return rows_.empty(); }
  bool has(int64_t id) const {
    const auto it = std::lower_bound(rows_.begin(), rows_.end(), std::pair(id, uint32_t{0}));
    return it != rows_.end() && it->first == id;
  }

 private:
  std::vector<std::pair<int64_t, uint32_t>> rows_;
};

}  // namespace stepwise::ingest
