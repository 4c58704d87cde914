#include "exposed_waits.h"

#include <algorithm>
#include <map>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;

// How much of a set of intervals lies before an instant.
class TimeBefore {
 public:
  explicit TimeBefore(Intervals united) : united_(std::move(united)) {
    sums_.reserve(united_.size() + 1);
    for (const Interval& one : united_) sums_.push_back(sums_.back() + one.end_ns - one.start_ns);
  }
  int64_t operator()(int64_t instant_ns) const {
    const auto after = std::upper_bound(united_.begin(), united_.end(), instant_ns,
                                        [](int64_t at, const Interval& one) { return at < one.start_ns; });
    if (after == united_.begin()) return 0;
    const auto index = static_cast<size_t>(after - united_.begin()) - 1;
    return sums_[index] + std::min(instant_ns, united_[index].end_ns) - united_[index].start_ns;
  }

 private:
  Intervals united_;
  std::vector<int64_t> sums_{0};
};

}  // namespace

std::vector<ExposedWait> exposed_waits(const sdk::Call& call, const sdk::TableView& view, const KernelSteps& steps,
                                       std::optional<int64_t> only_step) {
  const auto class_ = view[kernel::class_];
  const auto start_ns = view[kernel::start_ns];
  const auto dur_ns = view[kernel::dur_ns];
  const bool has_steps = steps.any();
  std::vector<ExposedWait> out(view.rows());
  Intervals communication;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (class_[row] == "communication") communication.push_back({start_ns[row], start_ns[row] + dur_ns[row]});
  });
  const TimeBefore communicated(unite(std::move(communication)));

  std::map<int64_t, int64_t> busy_until;  // by step
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (class_[row] == "communication") return;
    const auto of = has_steps ? steps.of(row) : std::optional<int64_t>(0);
    if (!of || (only_step && of != only_step)) return;
    const int64_t start = start_ns[row];
    const auto [until, is_first] = busy_until.try_emplace(*of, start);
    if (!is_first && start > until->second) {
      const int64_t gap_ns = start - until->second;
      out[row] = {gap_ns - (communicated(start) - communicated(until->second)), until->second};
    }
    until->second = std::max(until->second, start + dur_ns[row]);
  });
  return out;
}

}  // namespace stepwise::overview
