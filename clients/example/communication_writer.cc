#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/example/communication_figures.h"
#include "clients/example/summary_writers.h"

namespace stepwise::example {
namespace {

void write_times(TextFile& file, const CommunicationTimes& times) {
  file.text("\"Elapse Time(ms)\": ").ms(times.elapse_ns).text(", \"Transit Time(ms)\": ").ms(times.transit_ns);
  file.text(", \"Wait Time(ms)\": ").ms(times.wait_ns).text(", \"Synchronization Time(ms)\": ").ms(times.wait_ns);
  file.text(", \"Idle Time(ms)\": ").ms(times.idle_ns).text(", \"Wait Time Ratio\": ");
  file.decimal(ratio_e4(times.wait_ns, times.transit_ns), 4);
  file.text(", \"Synchronization Time Ratio\": ");
  file.decimal(ratio_e4(times.wait_ns, times.transit_ns), 4);
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
    file.decimal(bandwidth_e4(traffic.bytes, traffic.ns), 4);
    file.text(", \"Large Packet Ratio\": ").text(transport == "HCCS" ? "0.0, " : "0, ");
    write_packets(file, transport == "HCCS" ? traffic : Traffic{});
    file.text("}");
  }
  file.text("}");
}

void write_total(TextFile& file, const CommunicationTimes& times, const Traffic& traffic) {
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

void write_operation(TextFile& file, const CollectiveRun& run) {
  file.text("\"").text(collective_name(run)).text("@").text(run.communicator->hash);
  file.text("\": {\"Communication Time Info\": {\"Start Timestamp(us)\": ");
  file.python_float(static_cast<double>(run.start_ns) / 1'000.0).text(", ");
  write_times(file, times_of(run));
  file.text(", ");
  write_bandwidths(file, traffic_of(run));
  file.text("}, ");
}

void write_kind(TextFile& file, const Runs& runs) {
  file.text("{");
  if (!runs.empty()) {
    CommunicationTimes times;
    Traffic traffic;
    for (const CollectiveRun* run : runs) {
      write_operation(file, *run);
      times.add(times_of(*run));
      traffic.add(traffic_of(*run));
    }
    write_total(file, times, traffic);
  }
  file.text("}");
}

void write_link(TextFile& file, const Link& link, const LinkDigest& digest) {
  file.text("\"").integer(link.source).text("-").integer(link.destination);
  file.text("\": {\"Transport Type\": \"").text(link.transport);
  file.text("\", \"Transit Size(MB)\": ").decimal(link.bytes, 6).text(", \"Transit Time(ms)\": ").ms(link.ns);
  file.text(", \"Bandwidth(GB/s)\": ").decimal(bandwidth_e4(link.bytes, link.ns), 4);
  if (!digest.is_sum) file.text(", \"Op Name\": \"").text(collective_name(*digest.run)).text("\"");
  file.text("}");
}

void write_digests(TextFile& file, const std::vector<LinkDigest>& digests) {
  file.text("{");
  bool first = true;
  for (const LinkDigest& digest : digests) {
    file.text(std::exchange(first, false) ? "\"" : ", \"").text(digest.label).text("@");
    file.text(digest.run->communicator->hash).text("\": {");
    for (size_t i = 0; i < digest.links.size(); ++i) {
      if (i > 0) file.text(", ");
      write_link(file, digest.links[i], digest);
    }
    file.text("}");
  }
  file.text("}");
}

/// {"step7": {"p2p": ..., "collective": ...}, ...}: each kind as `write` has it.
template <class Write>
Result<int64_t> write_steps(const std::filesystem::path& path, const Tally& tally, Write write) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text("{");
  bool first = true;
  for (const StepCommunication& step : by_step(tally)) {
    file.text(std::exchange(first, false) ? "\"step" : ", \"step").integer(step.number).text("\": {\"p2p\": ");
    write(file, step.point_to_point);
    file.text(", \"collective\": ");
    write(file, step.collective);
    file.text("}");
  }
  file.text("}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace

Result<int64_t> write_communication(const std::filesystem::path& path, const Tally& tally) {
  return write_steps(path, tally, write_kind);
}

Result<int64_t> write_communication_matrix(const std::filesystem::path& path, const Topology& topology, int rank,
                                           const Tally& tally) {
  return write_steps(
      path, tally, [&](TextFile& file, const Runs& runs) { write_digests(file, link_digests(topology, rank, runs)); });
}

}  // namespace stepwise::example
