// Rows whose clock jumped: they start much farther from the bulk of a recording than that is long.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/base/diagnostics.h"

namespace stepwise::ingest {

class ClockJumps {
 public:
  /// A table's rows in order of start, and where they stand in the file. Both outlive this.
  void add(std::span<const int64_t> start_ns, std::span<const int64_t> src_pos);

  /// Counts those of all tables. places_are_bytes: else rows of a file that is told of by number.
  void report(bool places_are_bytes, const std::string& file, Diagnostics& diagnostics) const;

 private:
  struct Rows {
    std::span<const int64_t> start_ns, src_pos;
  };
  std::vector<Rows> tables_;
};

}  // namespace stepwise::ingest
