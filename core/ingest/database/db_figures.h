// Values of a database's row that must be within what can be true.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/limits.h"
#include "core/ingest/database/db_file.h"

namespace stepwise::ingest {

class DbFigures {
 public:
  /// Of the row at hand.
  explicit DbFigures(const DbRows& rows) : rows_(rows) {}

  /// Below 0 is what exporters write for "unknown".
  std::optional<int64_t> bytes(size_t column) { return up_to(column, limits::kMaxCount); }
  std::optional<int64_t> duration_ns(size_t column) { return up_to(column, limits::kMaxDurationNs); }
  std::optional<int64_t> instant_ns(size_t column) { return up_to(column, limits::kMaxInstantNs); }
  /// None was beyond belief.
  bool are_good() const { return are_good_; }

 private:
  std::optional<int64_t> up_to(size_t column, int64_t most) {
    const auto value = rows_.integer(column);
    if (value && *value > most) are_good_ = false;
    return value && *value < 0 ? std::nullopt : value;
  }

  const DbRows& rows_;
  bool are_good_ = true;
};

}  // namespace stepwise::ingest
