#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "clients/example/summary_writers.h"

namespace stepwise::example {
namespace {

struct Traffic {
  int64_t bytes = 0, ns = 0;
  std::map<int64_t, std::pair<int64_t, int64_t>> packets;  // size -> count, ns
};

struct Times {
  int64_t elapse_ns = 0, transit_ns = 0, wait_ns = 0, idle_ns = 0;
};

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

/// part / (part + transit) to four decimals; 0 when both are 0.
void ratio(TextFile& file, int64_t part_ns, int64_t transit_ns) {
  const int64_t all = part_ns + transit_ns;
  file.decimal(all == 0 ? 0 : (part_ns * 10'000 + all / 2) / all, 4);
}

void bandwidth(TextFile& file, int64_t bytes, int64_t ns) { file.decimal((bytes * 10'000 + ns / 2) / ns, 4); }

void write_times(TextFile& file, const Times& times) {
  file.text("\"Elapse Time(ms)\": ").ms(times.elapse_ns).text(", \"Transit Time(ms)\": ").ms(times.transit_ns);
  file.text(", \"Wait Time(ms)\": ").ms(times.wait_ns).text(", \"Synchronization Time(ms)\": ").ms(times.wait_ns);
  file.text(", \"Idle Time(ms)\": ").ms(times.idle_ns).text(", \"Wait Time Ratio\": ");
  ratio(file, times.wait_ns, times.transit_ns);
  file.text(", \"Synchronization Time Ratio\": ");
  ratio(file, times.wait_ns, times.transit_ns);
  file.text("}");
}

void write_packets(TextFile& file, const Traffic& traffic) {
  file.text("\"Size Distribution\": {");
  bool first = true;
  for (const auto& [size, packets] : traffic.packets) {
    file.text(first ? "\"" : ", \"").decimal(size, 6).text("\": [").integer(packets.first).text(", ");
    file.ms(packets.second).text("]");
    first = false;
  }
  file.text("}");
}

/// The five transports of one operation: all goes over HCCS, and SDMA repeats it.
void write_bandwidths(TextFile& file, const Traffic& traffic) {
  constexpr std::array<std::string_view, 5> kTransports{"RDMA", "HCCS", "PCIE", "SDMA", "SIO"};
  file.text("\"Communication Bandwidth Info\": {");
  for (std::string_view transport : kTransports) {
    const bool used = transport == "HCCS" || transport == "SDMA";
    file.text(transport == kTransports[0] ? "\"" : ", \"").text(transport);
    if (!used) {
      file.text(
          "\": {\"Transit Size(MB)\": 0, \"Transit Time(ms)\": 0, \"Bandwidth(GB/s)\": 0, "
          "\"Large Packet Ratio\": 0, \"Size Distribution\": {}}");
      continue;
    }
    file.text("\": {\"Transit Size(MB)\": ").decimal(traffic.bytes, 6).text(", \"Transit Time(ms)\": ").ms(traffic.ns);
    file.text(", \"Bandwidth(GB/s)\": ");
    bandwidth(file, traffic.bytes, traffic.ns);
    file.text(", \"Large Packet Ratio\": ").text(transport == "HCCS" ? "0.0, " : "0, ");
    write_packets(file, transport == "HCCS" ? traffic : Traffic{});
    file.text("}");
  }
  file.text("}");
}

void write_total(TextFile& file, const Times& times, const Traffic& traffic) {
  constexpr std::array<std::string_view, 5> kTransports{"RDMA", "HCCS", "PCIE", "SDMA", "SIO"};
  file.text("\"Total Op Info\": {\"Communication Time Info\": {");
  write_times(file, times);
  file.text(", \"Communication Bandwidth Info\": {");
  for (std::string_view transport : kTransports) {
    file.text(transport == kTransports[0] ? "\"" : ", \"").text(transport).text("\": {\"Transit Time(ms)\": ");
    if (transport == "HCCS" || transport == "SDMA") {
      file.ms(traffic.ns).text(", \"Transit Size(MB)\": ").decimal(traffic.bytes, 6).text(", ");
    } else {
      file.text("0, \"Transit Size(MB)\": 0, ");
    }
    write_packets(file, transport == "HCCS" ? traffic : Traffic{});
    file.text("}");
  }
  file.text("}}");
}

/// Calls `each` for every step with the step's collectives.
template <class F>
void by_step(const Tally& tally, F each) {
  size_t next = 0;
  const auto& steps = tally.overlap.steps();
  for (size_t step = 0; step < steps.size(); ++step) {
    std::vector<const CollectiveRun*> runs;
    for (; next < tally.collectives.size() && tally.collectives[next].step == static_cast<int>(step); ++next) {
      runs.push_back(&tally.collectives[next]);
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const CollectiveRun* a, const CollectiveRun* b) { return a->start_ns < b->start_ns; });
    each(step, steps[step].number, runs);
  }
}

const char* kind_name(const CollectiveRun& run) {
  return run.spec->type == "hcom_allReduce_" ? "allreduce" : "alltoall";
}

void write_link(TextFile& file, int source, int destination, const char* transport, int64_t bytes, int64_t ns,
                const CollectiveRun* run) {
  file.text("\"").integer(source).text("-").integer(destination).text("\": {\"Transport Type\": \"").text(transport);
  file.text("\", \"Transit Size(MB)\": ").decimal(bytes, 6).text(", \"Transit Time(ms)\": ").ms(ns);
  file.text(", \"Bandwidth(GB/s)\": ");
  bandwidth(file, bytes, ns);
  if (run != nullptr) {
    file.text(", \"Op Name\": \"");
    write_collective_name(file, *run);
    file.text("\"");
  }
  file.text("}");
}

/// One digest entry: the links of one collective (with its name), or of the sum of several (without).
void write_digest(TextFile& file, const Facts& facts, int rank, std::string_view label,
                  const std::vector<const CollectiveRun*>& runs, bool named) {
  const CollectiveRun& model = *runs.front();
  file.text("\"").text(kind_name(model)).text("-").text(label).text("@");
  file.text(kGroupHashes[static_cast<size_t>(model.group)]).text("\": {");
  for (int plane = 0; plane < model.planes; ++plane) {
    int64_t bytes = 0, ns = 0;
    for (const CollectiveRun* run : runs) {
      bytes += run->spec->bytes_per_link;
      ns += run->plane_transit_ns[static_cast<size_t>(plane)];
    }
    if (plane > 0) file.text(", ");
    write_link(file, rank, (rank + plane) % facts.world_size, plane == 0 ? "LOCAL" : "HCCS", bytes, ns,
               named ? &model : nullptr);
  }
  file.text("}");
}

}  // namespace

void write_collective_name(TextFile& file, const CollectiveSpec& spec, Group group, int index) {
  const std::string_view hash = kGroupHashes[static_cast<size_t>(group)];
  file.text(spec.type).text("_").text(hash.substr(hash.size() - 3)).text("_").integer(index).text("_1");
}

Result<int64_t> write_communication(const std::filesystem::path& path, const Tally& tally) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text("{");
  by_step(tally, [&](size_t index, int64_t number, const std::vector<const CollectiveRun*>& runs) {
    file.text(index == 0 ? "\"step" : ", \"step").integer(number).text("\": {\"p2p\": {}, \"collective\": {");
    Times times;
    Traffic traffic;
    for (const CollectiveRun* run : runs) {
      const Times one{run->end_ns - run->start_ns, run->transit_ns, run->wait_ns, run->idle_ns};
      const Traffic moved = traffic_of(*run);
      file.text("\"");
      write_collective_name(file, *run);
      file.text("@").text(kGroupHashes[static_cast<size_t>(run->group)]);
      file.text("\": {\"Communication Time Info\": {\"Start Timestamp(us)\": ");
      file.python_float(static_cast<double>(run->start_ns) / 1'000.0).text(", ");
      write_times(file, one);
      file.text(", ");
      write_bandwidths(file, moved);
      file.text("}, ");
      times = {times.elapse_ns + one.elapse_ns, times.transit_ns + one.transit_ns, times.wait_ns + one.wait_ns,
               times.idle_ns + one.idle_ns};
      traffic.bytes += moved.bytes;
      traffic.ns += moved.ns;
      for (const auto& [size, packets] : moved.packets) {
        traffic.packets[size].first += packets.first;
        traffic.packets[size].second += packets.second;
      }
    }
    write_total(file, times, traffic);
    file.text("}}");
  });
  file.text("}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

Result<int64_t> write_communication_matrix(const std::filesystem::path& path, const Facts& facts, int rank,
                                           const Tally& tally) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text("{");
  by_step(tally, [&](size_t index, int64_t number, const std::vector<const CollectiveRun*>& runs) {
    file.text(index == 0 ? "\"step" : ", \"step").integer(number).text("\": {\"p2p\": {}, \"collective\": {");
    bool first = true;
    for (int group = 0; group < kGroups; ++group) {
      std::vector<const CollectiveRun*> ranked;
      for (const CollectiveRun* run : runs) {
        if (static_cast<int>(run->group) == group) ranked.push_back(run);
      }
      if (ranked.empty()) continue;
      // Fastest first, as the exporter ranks by bandwidth.
      std::stable_sort(ranked.begin(), ranked.end(), [](const CollectiveRun* a, const CollectiveRun* b) {
        return a->spec->bytes_per_link * b->transit_ns > b->spec->bytes_per_link * a->transit_ns;
      });
      const size_t count = ranked.size();
      auto digest = [&](std::string_view label, const std::vector<const CollectiveRun*>& chosen, bool named) {
        if (!std::exchange(first, false)) file.text(", ");
        write_digest(file, facts, rank, label, chosen, named);
      };
      digest("top1", {ranked.front()}, true);
      digest("middle", {ranked[count / 2]}, true);
      digest("bottom1", {ranked.back()}, true);
      digest("total", ranked, false);
      if (count >= 2) digest("bottom2", {ranked[count - 2]}, true);
      if (count >= 3) digest("bottom3", {ranked[count - 3]}, true);
    }
    file.text("}}");
  });
  file.text("}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
