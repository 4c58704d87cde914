// Which step each execution of the kernel table is of.
#pragma once

#include <cstdint>
#include <optional>

#include "stepwise/sdk.hpp"
#include "timed_steps.h"

namespace stepwise::overview {

/// The step that the file gives a row; where it gives none to any, that of the timed iteration in which the row starts.
class KernelSteps {
 public:
  KernelSteps(const sdk::TableView& kernel_table, const TimedSteps& timed);

  /// nullopt: it is of none.
  std::optional<int64_t> of(uint64_t row) const;
  /// Whether rows can be of a step at all.
  bool any() const { return in_file_.any() || !ranges_.empty(); }

 private:
  sdk::Column<table::Type::i64> in_file_, start_ns_;
  std::vector<TimedRange> ranges_;  // empty: the file tells
};

}  // namespace stepwise::overview
