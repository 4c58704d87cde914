// Communication groups: which ranks of a run talk to each other, and under which name the profiler knows them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::example {

/// What a group is for; what that is, a model says. Every rank is in one communicator of each, on a stream of its own.
enum class Group : uint8_t { first, second, third };
inline constexpr int kGroups = 3;
inline constexpr std::array<int, kGroups> kGroupStreams{8, 9, 10};

struct Communicator {
  int id = 0;  // its place in Topology::all()
  Group group{};
  std::string hash;
  std::vector<int> ranks;  // global, ascending; at least two

  int size() const { return static_cast<int>(ranks.size()); }
  /// The rank's number within the communicator.
  int position(int rank) const;
};

/// Immutable once every rank has its three communicators.
class Topology {
 public:
  explicit Topology(std::array<std::string_view, kGroups> names) : names_(names) {}
  void add(Group group, std::string hash, std::vector<int> ranks);

  const std::vector<Communicator>& all() const { return communicators_; }
  const Communicator& of(int rank, Group group) const;
  std::string_view name(Group group) const { return names_[static_cast<size_t>(group)]; }
  int largest() const;

 private:
  std::array<std::string_view, kGroups> names_;
  std::vector<Communicator> communicators_;
  std::vector<std::array<size_t, kGroups>> by_rank_;
};

}  // namespace stepwise::example
