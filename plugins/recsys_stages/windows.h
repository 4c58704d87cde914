// The steps of the profile as the host saw them, each with its main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::recsys_stages {

struct Thread {
  int64_t pid = 0, tid = 0;
  friend bool operator==(const Thread&, const Thread&) = default;
  friend auto operator<=>(const Thread&, const Thread&) = default;
};

struct Window {
  std::optional<int64_t> number;  // empty: the profile has no steps
  int64_t start_ns = 0, end_ns = 0;
  Thread main;
  int64_t src_pos = 0;

  int64_t wall_ns() const { return end_ns - start_ns; }
};

struct Windows {
  std::vector<Window> all;  // by start
  bool by_steps = false;    // false: one window, the whole of the host's calls

  /// Index of the window that holds that instant.
  std::optional<uint32_t> at(int64_t ns) const;
  /// Indices of the windows with that number, or of all.
  std::vector<uint32_t> chosen(std::optional<int64_t> number) const;
};

/// By ProfilerStep where there is any. Else the host's first start to its last end; its main thread is the one that has
/// the process's id, or, if none has, the one with most time in calls.
Windows find_windows(sdk::Call& call, uint32_t rank, const sdk::TableView& host_ops);

/// "11, 12, 13", or the first few and how many there are.
std::string list_numbers(const Windows& windows, const std::vector<uint32_t>& chosen);

}  // namespace stepwise::recsys_stages
