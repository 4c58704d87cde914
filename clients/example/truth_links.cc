#include "clients/example/truth_links.h"

#include <map>
#include <utility>

#include "core/base/decimal.h"

namespace stepwise::example {

Json true_links(const Facts& facts, const std::vector<Tally>& tallies) {
  struct Traffic {
    int64_t bytes = 0, transit_ns = 0;
  };
  std::map<std::pair<int, int>, Traffic> links;
  for (size_t rank = 0; rank < tallies.size(); ++rank) {
    const int src = static_cast<int>(rank);
    for (const CollectiveRun& run : tallies[rank].collectives) {
      const int self = run.communicator->position(src);
      for (int plane = 1; plane < run.planes; ++plane) {
        const int dst = run.communicator->ranks[static_cast<size_t>((self + plane) % run.communicator->size())];
        Traffic& link = links[{src, dst}];
        link.bytes += run.spec->bytes_per_link;
        link.transit_ns += run.plane_transit_ns[static_cast<size_t>(plane)];
      }
    }
  }
  Json rows = Json::array();
  for (const auto& [ends, traffic] : links) {
    rows.push_back({{"src", ends.first},
                    {"dst", ends.second},
                    {"bytes", traffic.bytes},
                    {"transit_us", ns_to_us(traffic.transit_ns)}});
  }
  Json slow;
  if (facts.slow_src >= 0 && links.count({facts.slow_src, facts.slow_dst}) > 0) {
    slow = {{"src", facts.slow_src}, {"dst", facts.slow_dst}, {"ratio", facts.slow_percent / 100.0}};
  }
  return {{"slow_link", std::move(slow)}, {"links", std::move(rows)}};
}

}  // namespace stepwise::example
