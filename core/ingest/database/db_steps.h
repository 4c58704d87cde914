// Which step a kernel belongs to. The database has only the steps' ranges on the host; kernels run later than they are
// launched, so each step's range on the device is found from its launches, as the profiler does for its text files.
// Their decomposition is fill_steps() in db_step_parts.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ingest/database/db_device.h"

namespace stepwise::ingest {

/// The layers of the host's calls by their numbers: runtime, hccl or communication, node, model, acl; op, queue,
/// trace, mstx for the framework's.
class DbApiTypes {
 public:
  DbApiTypes(Database& database, const std::string& file, IngestContext& context);
  /// "": nobody knows.
  const std::string& name(std::optional<int64_t> type) const;
  bool has(const std::string& name) const;

 private:
  std::unordered_map<int64_t, std::string> names_;
};

/// PYTORCH_API's rows name connections by the number of a set of them.
std::unordered_map<int64_t, std::vector<int64_t>> read_connection_sets(Database& database, const std::string& file,
                                                                       IngestContext& context);

/// "ProfilerStep#12" -> 12
std::optional<int64_t> step_in_name(std::string_view name);

/// The steps' ranges on the device: more than one may hold an instant, and it belongs to the first of them.
class DbStepRanges {
 public:
  /// In order of the steps; both ends are within.
  void add(int64_t start_ns, int64_t end_ns);
  /// Index of the first that holds the instant.
  std::optional<size_t> find(int64_t time_ns) const;

 private:
  std::vector<int64_t> start_ns_, end_ns_;
  std::vector<int64_t> latest_end_ns_;  // of all up to here: grows, so that it can be searched
};

class DbSteps {
 public:
  struct Step {
    int64_t step = 0, host_start_ns = 0, host_end_ns = 0;
    int64_t src_pos = 0;  // row of the table that has it
    // Of the first and the last launch in it that led to work of the device.
    std::optional<int64_t> first_launch_ns, last_launch_ns;
    int64_t start_ns = 0, end_ns = 0;
  };

  DbSteps(Database& database, const DbStrings& strings, const DbApiTypes& types, const DbDevice& device,
          const std::string& file, IngestContext& context);

  /// The first step whose range on the device holds the instant.
  std::optional<int64_t> step_at(int64_t time_ns) const;
  /// Those that led to work of the device, by start on the host.
  const std::vector<Step>& list() const { return steps_; }
  /// Of them; indices are theirs.
  const DbStepRanges& ranges() const { return ranges_; }
  /// msprof alone knows of no steps.
  bool are_of_framework() const { return is_framework_; }
  /// Whether the profiler decomposes the run's time: a framework's, where steps led to work of the device, or none was
  /// marked.
  bool are_decomposed() const { return is_framework_ && (!are_marked_ || !steps_.empty()); }

 private:
  struct Slice {
    int64_t start_ns = 0, end_ns = 0, key = 0;  // key: of the queue's entry
  };
  using Starts = std::unordered_map<int64_t, int64_t>;

  void read_host(Database& database, const DbStrings& strings, const DbApiTypes& types, const std::string& file,
                 IngestContext& context);
  void read_launches(Database& database, const std::string& file, IngestContext& context);
  std::optional<int64_t> launched_at(int64_t call_start_ns) const;
  void add_work(std::optional<int64_t> connection, int64_t start_ns, int64_t dur_ns);

  std::vector<Step> steps_;  // by start on the host
  DbStepRanges ranges_;
  bool is_framework_ = false, are_marked_ = false;
  std::vector<Slice> dequeues_;  // by start
  Starts enqueued_at_;           // by key
  Starts launched_at_;           // by connection
};

}  // namespace stepwise::ingest
