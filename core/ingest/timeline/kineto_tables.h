// The kernel table of a GPU trace under construction, as trace_tables.h has the others.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/timeline/trace_tables.h"

namespace stepwise::ingest {

class KernelTable : public SliceTable {
 public:
  KernelTable();
  void add(store::SegmentBuilder& out, const KinetoSlice& slice, int64_t src_pos);
  void put_in_order(int64_t base_ns);
  /// Of each row, or kNoNumber and kNoText. groups: empty if no row has one; those of rows that do not communicate are
  /// not kept.
  void finish(store::Dictionary& dictionary, std::vector<int64_t> steps, std::vector<int32_t> groups);

  /// Of each row; missing ones are kNoNumber until finish, then 0.
  const std::vector<int64_t>& correlation_ids() const;

 private:
  std::vector<KinetoKind> kind_;
};

/// The table step: ranges of the host, decomposed by nobody.
void fill_timed_steps(const StepRanges& steps, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
