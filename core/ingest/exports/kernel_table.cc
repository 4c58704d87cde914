#include "core/ingest/exports/kernel_table.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ingest/exports/clock_jump.h"
#include "core/ingest/exports/kernel_class.h"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

constexpr const char* kCommunication = "communication";

/// Each text is looked at once.
class Classifier {
 public:
  explicit Classifier(store::TableBuilder& rows)
      : rows_(rows), by_name_(rows.dictionary().size(), Known::unseen), by_core_(by_name_.size(), kUnknown) {}

  void run() {
    const int32_t communication = rows_.dictionary().intern(kCommunication);
    if (const auto core = rows_.repeated_code(kernel::core_type)) {
      if (const int32_t by_core = class_of(*core); by_core != kSilent)
        return rows_.repeat_code(kernel::class_, by_core);
    }
    const store::ColumnBuffer &name = rows_.column(kernel::name), &type = rows_.column(kernel::op_type),
                              &core = rows_.column(kernel::core_type);
    std::vector<int32_t>& out = rows_.values(kernel::class_);
    for (size_t row = 0; row < out.size(); ++row) {
      if (const int32_t by_core = core.is_null(row) ? kSilent : class_of(core.code[row]); by_core != kSilent) {
        out[row] = by_core;
      } else if (communicates(name.code[row]) || (!type.is_null(row) && communicates(type.code[row]))) {
        out[row] = communication;
      }
    }
  }

 private:
  enum class Known : uint8_t { unseen, communicates, does_not };
  static constexpr int32_t kUnknown = -2, kSilent = -1;  // not looked at; the core does not tell

  bool communicates(int32_t code) {
    Known& known = by_name_[static_cast<size_t>(code)];
    if (known == Known::unseen) {
      known = is_communication_name(rows_.dictionary().at(code)) ? Known::communicates : Known::does_not;
    }
    return known == Known::communicates;
  }
  int32_t class_of(int32_t core) {
    int32_t& known = by_core_[static_cast<size_t>(core)];
    if (known == kUnknown) {
      const std::string_view found = class_of_core(rows_.dictionary().at(core));
      known = found.empty() ? kSilent : rows_.dictionary().intern(found);
    }
    return known;
  }

  store::TableBuilder& rows_;
  std::vector<Known> by_name_;
  std::vector<int32_t> by_core_;
};

}  // namespace

void classify_kernels(store::SegmentBuilder& out) {
  if (out.has(kernel::kTable)) Classifier(out.made_table(kernel::kTable)).run();
}

void report_far_kernels(store::SegmentBuilder& out, KernelPlaces places, const std::string& file,
                        Diagnostics& diagnostics) {
  constexpr int64_t kFarNs = int64_t{30} * 86'400'000'000'000;
  if (!out.has(kernel::kTable)) return;
  store::TableBuilder& rows = out.made_table(kernel::kTable);
  const std::vector<int64_t>&starts = rows.values(kernel::start_ns), &durations = rows.values(kernel::dur_ns),
        &positions = rows.values(kernel::src_pos);
  if (starts.empty()) return;
  const auto earliest = std::min_element(starts.begin(), starts.end());
  int64_t latest_end = *earliest;
  for (size_t row = 0; row < starts.size(); ++row) latest_end = std::max(latest_end, starts[row] + durations[row]);
  if (latest_end - *earliest <= kFarNs) {
    // A timeline's kernels are looked at with its other slices.
    ClockJumps jumps;
    jumps.add(starts, positions);
    if (places == KernelPlaces::rows) jumps.report(false, file, diagnostics);
    return;
  }

  std::vector<int64_t> by_start = starts;
  const auto middle = by_start.begin() + static_cast<std::ptrdiff_t>(by_start.size() / 2);
  std::nth_element(by_start.begin(), middle, by_start.end());
  const int64_t median = *middle;
  uint64_t count = 0;
  // Spread evenly over more than a month, no row lies that far from the middle: the earliest is named then.
  auto first = static_cast<size_t>(earliest - starts.begin());
  for (size_t row = 0; row < starts.size(); ++row) {
    if (std::abs(starts[row] - median) <= kFarNs) continue;
    if (count++ == 0 || positions[row] < positions[first]) first = row;
  }
  const int64_t place = positions[first];
  const std::string where = places == KernelPlaces::rows ? "row " + std::to_string(place) + ", at " : "at ";
  diagnostics.count(Diag::time_implausible_span, file,
                    places == KernelPlaces::bytes ? std::optional(place) : std::nullopt, std::max<uint64_t>(count, 1),
                    "First: " + where + std::to_string(starts[first]) + " ns; the middle one starts at " +
                        std::to_string(median) + " ns.");
}

}  // namespace stepwise::ingest
