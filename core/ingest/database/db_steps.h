// Which step a kernel belongs to. The database has only the steps' ranges on the host; kernels run later than they are
// launched, so each step's range on the device is found from its launches, as the profiler does for its text files.
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

class DbSteps {
 public:
  DbSteps(Database& database, const DbStrings& strings, const DbApiTypes& types, const DbDevice& device,
          const std::string& file, IngestContext& context);

  /// The first step whose range on the device holds the instant.
  std::optional<int64_t> step_at(int64_t time_ns) const;

 private:
  struct Step {
    int64_t step = 0, host_start_ns = 0, host_end_ns = 0;
    // Of the first and the last launch in it that led to work of the device.
    std::optional<int64_t> first_launch_ns, last_launch_ns;
    int64_t start_ns = 0, end_ns = 0;
  };
  struct Slice {
    int64_t start_ns = 0, end_ns = 0, key = 0;  // key: of the queue's entry
  };
  using Starts = std::unordered_map<int64_t, int64_t>;

  void read_host(Database& database, const DbStrings& strings, const DbApiTypes& types, const std::string& file,
                 IngestContext& context);
  void read_launches(Database& database, const std::string& file, IngestContext& context);
  std::optional<int64_t> launched_at(int64_t call_start_ns) const;
  void add_work(std::optional<int64_t> connection, int64_t start_ns, int64_t dur_ns);

  std::vector<Step> steps_;      // by start on the host
  std::vector<Slice> dequeues_;  // by start
  Starts enqueued_at_;           // by key
  Starts launched_at_;           // by connection
};

}  // namespace stepwise::ingest
