// Communication operations summed by name and kind: how long they took, and what of it was transfer, waiting, neither.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

/// Parts of an operation's time, as the profiler split it.
struct Times {
  int64_t transit_ns = 0, wait_ns = 0, sync_ns = 0, idle_ns = 0;
  void add(const Times& other);
  /// Waiting in waiting and transfer together: 0 where both are 0, 1 where there was no transfer.
  double wait_ratio() const;
};

struct Traffic {
  std::string transport;
  int64_t bytes = 0, transit_ns = 0;
};

struct Operation {
  std::string name;
  std::optional<std::string> type, group;
  uint64_t count = 0;
  int64_t elapse_ns = 0;
  std::optional<Times> times;      // null: the profile knows only how long it ran
  std::optional<Traffic> traffic;  // by the transport that moved most; null: unknown, or none moved any
  int64_t longest_ns = 0, longest_row = 0;
  std::optional<double> r_wait;              // 1 - mean / largest transfer of the group's ranks
  std::string insufficient = kRanksUnknown;  // why there is none; empty: there is one

  /// Nothing tells how long the other ranks transferred.
  static constexpr const char* kRanksUnknown = "no_transit_of_ranks";
};

struct Operations {
  std::vector<Operation> list;  // by elapse, longest first
  Operation all;                // the sums of the list
  std::string file;
};

/// From communication.json. nullopt: the profile has none.
std::optional<Operations> operations_of_file(sdk::Call& call, uint32_t rank, std::optional<int64_t> step);
/// From the communication rows of the kernel table; rows of one name are told apart by what launched them.
std::optional<Operations> operations_of_kernels(sdk::Call& call, uint32_t rank, std::optional<int64_t> step);

}  // namespace stepwise::comm_overlap
