// All that comm_overlap knows, gathered from the tables before anything is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device_names.h"
#include "groups.h"
#include "operations.h"
#include "overlap.h"

namespace stepwise::comm_overlap {

/// How far the profiler's own step file is from the intervals: the largest difference of any figure of any step.
struct FileDifference {
  std::string file;
  uint64_t steps = 0;
  std::string figure;
  std::optional<int64_t> step;
  int64_t here_ns = 0, in_file_ns = 0, row = 0;
};

/// An uncovered span with what ran in it and what came after.
struct SpanRow {
  Uncovered span;
  std::vector<std::string> collectives;
  std::optional<std::string> compute_waiting;
  std::optional<std::string> stage, stage_by_time;  // null: the profile has no calls of the host
};

/// Calls or tasks of one name that make host or device wait, in one stage.
struct SyncSource {
  std::string api, side;  // side: host, device
  std::optional<std::string> stage;
  int64_t count = 0;
  double total_us = 0;
  std::optional<double> max_us;
};

struct Answer {
  uint32_t rank = 0;
  bool is_gpu = false;
  bool several_ranks = false;        // the profile has others to compare with
  std::optional<int64_t> step;       // that was asked for
  std::optional<int64_t> origin_ns;  // what start_us counts from
  bool own_origin = false;           // ... is this rank's first span, since the profile's origin was not read
  std::optional<Overlap> overlap;    // of the steps that the answer is about
  Breakdown sum;                     // over its windows
  std::optional<FileDifference> difference;
  std::vector<SpanRow> rows;  // longest first, as many as a result may hold
  int64_t rows_ns = 0;
  std::optional<Operations> operations;
  std::optional<std::vector<sdk::CommGroup>> groups;
  std::optional<std::vector<SyncSource>> sync_sources;  // most time first
  std::optional<double> device_wait_us;  // sum over the windows; null: the profile does not show the device's tasks
  bool stages_by_time = false;           // no launch of communication is known
  size_t limit = 0;                      // of operations, groups and sources that are listed

  /// The mean over the windows.
  double us(int64_t sum_ns) const {
    return static_cast<double>(sum_ns) / (1000.0 * static_cast<double>(overlap->windows.size()));
  }
  std::string window_text() const;
  /// False: the windows are a run that nothing divides, with what lies between its iterations. No share of a step is
  /// known then.
  bool is_of_steps() const;
};

/// nullopt: the call failed (an unknown step) or was cancelled; the host has been told.
std::optional<Answer> gather(sdk::Call& call, uint32_t rank);

void write_answer(sdk::JsonWriter& w, const Answer& answer);

}  // namespace stepwise::comm_overlap
