// Arrows of the timeline: starts and ends joined by kind and id, each bound to the slice that it lies on.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/timeline/trace_tables.h"

namespace stepwise::ingest {

/// What arrows may lie on. The tables are in order.
struct FlowTargets {
  std::vector<const SliceTable*> tables;
  size_t track_count = 0;
  /// Parallel to tables, or empty: ids of their rows, if an arrow has the id of the slices at its ends. That tells
  /// apart slices which begin at one time.
  std::vector<const std::vector<int64_t>*> ids{};
  const SliceTable* lone_ends_on = nullptr;  // there, ends without a start are usual, and not counted
};

class FlowLinker {
 public:
  /// Texts and tracks have their final numbers.
  void add(const FlowRecord& flow, uint64_t src_pos) {
    append_row(flows_, flow);
    append_row(src_pos_, src_pos);
  }
  /// Joins starts and ends. May run while the tables are put in order.
  void join(int64_t base_ns);
  /// Fills the table flow, in the file's order of the arrows' ends, and forgets the arrows.
  void finish(store::SegmentBuilder& out, const FlowTargets& targets, Diagnostics& diagnostics,
              const std::string& file);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Slice {
    uint32_t table = kNone, row = 0;
  };
  std::vector<Slice> bind(const FlowTargets& targets) const;
  void prefer_same_id(const FlowTargets& targets, std::vector<Slice>& bound) const;

  std::vector<FlowRecord> flows_;
  std::vector<uint64_t> src_pos_;
  std::vector<uint32_t> partner_;  // for each end its start, for each start one of its ends, or kNone
};

}  // namespace stepwise::ingest
