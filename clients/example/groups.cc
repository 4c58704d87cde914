#include "clients/example/groups.h"

#include <algorithm>
#include <utility>

namespace stepwise::example {

int Communicator::position(int rank) const {
  return static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

void Topology::add(Group group, std::string hash, std::vector<int> ranks) {
  const size_t id = communicators_.size();
  for (int rank : ranks) {
    const auto slot = static_cast<size_t>(rank);
    if (by_rank_.size() <= slot) by_rank_.resize(slot + 1);
    by_rank_[slot][static_cast<size_t>(group)] = id;
  }
  communicators_.push_back({static_cast<int>(id), group, std::move(hash), std::move(ranks)});
}

const Communicator& Topology::of(int rank, Group group) const {
  return communicators_[by_rank_[static_cast<size_t>(rank)][static_cast<size_t>(group)]];
}

int Topology::largest() const {
  int size = 0;
  for (const Communicator& communicator : communicators_) size = std::max(size, communicator.size());
  return size;
}

}  // namespace stepwise::example
