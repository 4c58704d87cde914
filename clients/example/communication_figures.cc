#include "clients/example/communication_figures.h"

#include <algorithm>

namespace stepwise::example {
namespace {

std::vector<Link> links_of(const Runs& runs, int rank) {
  const CollectiveRun& model = *runs.front();
  const int self = model.communicator->position(rank);
  std::vector<Link> links;
  for (int plane = 0; plane < model.planes; ++plane) {
    Link link{self, (self + plane) % model.communicator->size(), plane == 0 ? "LOCAL" : "HCCS"};
    for (const CollectiveRun* run : runs) {
      link.bytes += run->spec->bytes_per_link;
      link.ns += run->plane_transit_ns[static_cast<size_t>(plane)];
    }
    links.push_back(link);
  }
  return links;
}

/// The runs of one kind in one communicator.
void add_digests(Runs runs, int rank, std::vector<LinkDigest>& out) {
  // Fastest first, as the exporter ranks by bandwidth.
  std::stable_sort(runs.begin(), runs.end(), [](const CollectiveRun* a, const CollectiveRun* b) {
    return a->spec->bytes_per_link * b->transit_ns > b->spec->bytes_per_link * a->transit_ns;
  });
  auto add = [&](std::string_view label, const Runs& chosen, bool is_sum) {
    out.push_back(
        {chosen.front()->spec->kind + "-" + std::string(label), chosen.front(), is_sum, links_of(chosen, rank)});
  };
  const size_t count = runs.size();
  add("top1", {runs.front()}, false);
  add("middle", {runs[count / 2]}, false);
  add("bottom1", {runs.back()}, false);
  add("total", runs, true);
  if (count >= 2) add("bottom2", {runs[count - 2]}, false);
  if (count >= 3) add("bottom3", {runs[count - 3]}, false);
}

}  // namespace

void Traffic::add(const Traffic& other) {
  bytes += other.bytes;
  ns += other.ns;
  for (const auto& [size, moved] : other.packets) {
    packets[size].first += moved.first;
    packets[size].second += moved.second;
  }
}

Traffic traffic_of(const CollectiveRun& run) {
  Traffic traffic;
  for (int plane = 1; plane < run.planes; ++plane) {
    const int64_t ns = run.plane_transit_ns[static_cast<size_t>(plane)];
    traffic.bytes += run.spec->bytes_per_link;
    traffic.ns += ns;
    auto& [count, total_ns] = traffic.packets[run.spec->bytes_per_link];
    ++count;
    total_ns += ns;
  }
  return traffic;
}

void CommunicationTimes::add(const CommunicationTimes& other) {
  elapse_ns += other.elapse_ns;
  transit_ns += other.transit_ns;
  wait_ns += other.wait_ns;
  idle_ns += other.idle_ns;
}

CommunicationTimes times_of(const CollectiveRun& run) {
  return {run.end_ns - run.start_ns, run.transit_ns, run.wait_ns, run.idle_ns};
}

int64_t ratio_e4(int64_t part_ns, int64_t transit_ns) {
  const int64_t all = part_ns + transit_ns;
  return all == 0 ? 0 : (part_ns * 10'000 + all / 2) / all;
}

int64_t bandwidth_e4(int64_t bytes, int64_t ns) { return (bytes * 10'000 + ns / 2) / ns; }

std::vector<StepCommunication> by_step(const Tally& tally) {
  std::vector<StepCommunication> steps;
  size_t next = 0;
  for (const StepFigures& figures : tally.overlap.steps()) {
    StepCommunication& step = steps.emplace_back();
    step.number = figures.number;
    const auto index = static_cast<int>(steps.size()) - 1;
    for (; next < tally.collectives.size() && tally.collectives[next].step == index; ++next) {
      const CollectiveRun& run = tally.collectives[next];
      (run.spec->point_to_point ? step.point_to_point : step.collective).push_back(&run);
    }
    for (Runs* runs : {&step.point_to_point, &step.collective}) {
      std::stable_sort(runs->begin(), runs->end(),
                       [](const CollectiveRun* a, const CollectiveRun* b) { return a->start_ns < b->start_ns; });
    }
  }
  return steps;
}

std::vector<LinkDigest> link_digests(const Topology& topology, int rank, const Runs& runs) {
  std::vector<LinkDigest> digests;
  for (int group = 0; group < kGroups; ++group) {
    const Communicator& communicator = topology.of(rank, static_cast<Group>(group));
    std::map<std::string_view, Runs> by_kind;
    for (const CollectiveRun* run : runs) {
      if (run->communicator == &communicator) by_kind[run->spec->kind].push_back(run);
    }
    for (const auto& [kind, ranked] : by_kind) add_digests(ranked, rank, digests);
  }
  return digests;
}

std::string collective_name(const CollectiveSpec& spec, const Communicator& communicator, int index) {
  const std::string& hash = communicator.hash;
  return spec.type + "_" + hash.substr(hash.size() - 3) + "_" + std::to_string(index) + "_1";
}

}  // namespace stepwise::example
