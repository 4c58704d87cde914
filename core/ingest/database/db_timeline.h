// The timeline's tables of a profiler's database.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ingest/database/db_device.h"
#include "core/ingest/database/db_events.h"
#include "core/ingest/database/db_kernels.h"
#include "core/ingest/database/db_steps.h"

namespace stepwise::ingest {

/// Of a globalTid: the process above, the thread below.
struct DbThread {
  int64_t pid = 0, tid = 0;
};
inline DbThread thread_of(std::optional<int64_t> global_tid) {
  const auto bits = static_cast<uint64_t>(global_tid.value_or(0));
  return {static_cast<int64_t>(bits >> 32), static_cast<int64_t>(bits & 0xFFFFFFFF)};
}

class DbTimeline {
 public:
  DbTimeline(Database& database, const std::string& file, IngestContext& context, TraceMerger& merger);
  /// False: there was nothing.
  bool run();
  /// As fill_kernels lists them.
  KernelRows kernel_rows() const { return list_kernels(strings_, device_); }

 private:
  using Sets = std::unordered_map<int64_t, std::vector<int64_t>>;
  /// A framework operator that a connection names.
  struct LinkedOp {
    int64_t connection = 0, start_ns = 0, pid = 0, tid = 0;
  };

  /// A value of a row, as exporters call it and its process in their traces.
  struct Counter {
    int64_t kind = 0;  // of the process
    const char* process = "";
    std::string name;
    const char* series = "";
    std::optional<double> value;
    double units = 1;  // of the database's, in one of the series'
  };

  void find_targets();
  void read_driver_calls();
  void read_framework_calls();
  void read_stacks();
  void add_framework_call(DbRows& rows, const std::string& type, const Sets& sets);
  void add_hardware_tasks();
  void add_collectives();
  void read_communication_tasks();
  void read_overlap();
  void read_steps();
  void read_ranges();
  void read_counters();
  void read_bandwidths();
  void read_levels();
  void sample(DbRows& rows, const Counter& counter, bool is_first = true);
  void link_operators();

  void name_once(int64_t pid, std::string_view process, std::string_view label);
  void name_once(int64_t pid, int64_t tid, std::string_view thread);
  void link(const char* kind, int64_t id, int64_t time_ns, int64_t pid, int64_t tid, bool is_end);
  /// Both kinds of arrows that may end at work of the device.
  void link_work(int64_t connection, int64_t time_ns, int64_t pid, int64_t tid);
  int64_t process_of(int64_t sort_index, std::optional<int64_t> device) const;
  int64_t first_tid_of_group(std::optional<int64_t> group);
  bool is_launched_work(uint32_t task) const;

  Database& database_;
  const std::string& file_;
  IngestContext& context_;
  const DbStrings strings_;
  const DbApiTypes types_;
  const DbDevice device_;
  DbEvents events_;

  std::vector<const DbKernel*> kernel_of_task_;
  std::unordered_set<int64_t> targets_;         // connections that lead to kernels, copies or collectives
  std::unordered_set<int64_t> called_;          // those of them that a call of the driver stack has
  std::unordered_set<int64_t> launched_by_op_;  // those that exactly one operator has
  std::vector<LinkedOp> linked_ops_;
  std::unordered_map<int64_t, std::string> stacks_;
  std::unordered_map<int64_t, int64_t> tid_of_group_;
  std::unordered_set<int64_t> named_processes_;
  std::map<std::pair<int64_t, int64_t>, bool> named_threads_;
  uint64_t added_ = 0, steps_ = 0;
};

}  // namespace stepwise::ingest
