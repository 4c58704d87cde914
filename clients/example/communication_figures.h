// What the communication files say, apart from how they write it: traffic, times, and the digest of the links.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/example/tally.h"

namespace stepwise::example {

using Runs = std::vector<const CollectiveRun*>;

struct Traffic {
  int64_t bytes = 0, ns = 0;
  std::map<int64_t, std::pair<int64_t, int64_t>> packets;  // size -> count, ns

  void add(const Traffic& other);
};
/// Over the links to other ranks.
Traffic traffic_of(const CollectiveRun& run);

struct CommunicationTimes {
  int64_t elapse_ns = 0, transit_ns = 0, wait_ns = 0, idle_ns = 0;

  void add(const CommunicationTimes& other);
};
CommunicationTimes times_of(const CollectiveRun& run);

/// part / (part + transit) in 1/10,000; 0 when both are 0.
int64_t ratio_e4(int64_t part_ns, int64_t transit_ns);
/// GB/s in 1/10,000.
int64_t bandwidth_e4(int64_t bytes, int64_t ns);

/// One step's runs, by start.
struct StepCommunication {
  int64_t number = 0;
  Runs point_to_point, collective;

  const Runs& of(bool p2p) const { return p2p ? point_to_point : collective; }
};
std::vector<StepCommunication> by_step(const Tally& tally);

struct Link {
  int source = 0, destination = 0;  // as the communicator numbers its ranks
  std::string_view transport;
  int64_t bytes = 0, ns = 0;
};

/// The links of one run out of a kind's ranking by bandwidth, or their sums over the kind.
struct LinkDigest {
  std::string label;                   // allreduce-top1
  const CollectiveRun* run = nullptr;  // the one, or the first of the sum
  bool is_sum = false;
  std::vector<Link> links;
};
std::vector<LinkDigest> link_digests(const Topology& topology, int rank, const Runs& runs);

/// hcom_allReduce__586_3_1
std::string collective_name(const CollectiveSpec& spec, const Communicator& communicator, int index);
inline std::string collective_name(const CollectiveRun& run) {
  return collective_name(*run.spec, *run.communicator, run.index);
}

}  // namespace stepwise::example
