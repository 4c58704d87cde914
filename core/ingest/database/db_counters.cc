// What a database samples of the device, as the counters that the same run's timeline has.
#include <optional>
#include <string>

#include "core/ingest/database/db_memory_events.h"
#include "core/ingest/database/db_timeline.h"
#include "core/ingest/timeline/trace_event.h"

namespace stepwise::ingest {
namespace {

// The kinds of processes, as exporters number them.
constexpr int64_t kFrequency = 14, kDdr = 16, kHbm = 17, kCache = 18, kMemory = 19, kSoc = 20, kAccelerators = 21;
constexpr double kBytesInKb = 1 << 10, kBytesInMb = 1 << 20, kPercentInRatio = 100;

}  // namespace

/// Every table that is read so has the time in its first column, the device in its second.
void DbTimeline::sample(DbRows& rows, const Counter& counter, bool is_first) {
  const auto time_ns = rows.integer(0);
  if (!time_ns || *time_ns < 0 || *time_ns > kMaxTraceNs || !counter.value)
    return rows.leave_out("has no time and value that make sense");
  const auto device = rows.integer(1);
  const int64_t pid = process_of(counter.kind, device);
  name_once(pid, counter.process, "NPU " + std::to_string(device.value_or(0)));
  SampleRecord sample;
  sample.ts_ns = *time_ns;
  sample.value = *counter.value / counter.units;
  sample.position = static_cast<uint32_t>(rows.number());
  sample.name = events_.text(counter.name);
  sample.series = events_.text(counter.series);
  sample.track = events_.track(pid, 0);
  events_.add(sample, is_first);
  ++added_;
}

void DbTimeline::read_counters() {
  read_bandwidths();
  read_levels();
  DbRows memory(database_, "NPU_MEM", {required("timestampNs"), {"deviceId"}, required("type"), {"ddr"}, {"hbm"}},
                file_, context_);
  const DbMemoryWords words(database_, strings_, file_, context_);
  while (memory.next()) {
    const std::string type = words.find(memory.integer(2));
    if (type != "app" && type != "device") continue;
    const std::string whose = type == "app" ? "APP/" : "Device/";
    const auto ddr = memory.real(3), hbm = memory.real(4);
    const auto all = ddr && hbm ? std::optional(*ddr + *hbm) : std::nullopt;
    sample(memory, {kMemory, "NPU MEM", whose + "DDR", "KB", ddr, kBytesInKb});
    sample(memory, {kMemory, "NPU MEM", whose + "HBM", "KB", hbm, kBytesInKb});
    sample(memory, {kMemory, "NPU MEM", whose + "Memory", "KB", all, kBytesInKb});
  }
}

/// In the databases in bytes a second.
void DbTimeline::read_bandwidths() {
  DbRows hbm(database_, "HBM",
             {required("timestampNs"), {"deviceId"}, required("bandwidth"), required("hbmId"), required("type")}, file_,
             context_);
  while (hbm.next()) {
    const bool is_read = strings_.find(hbm.integer(4)) == "read";
    const std::string name = "HBM " + std::to_string(hbm.integer(3).value_or(0)) + (is_read ? "/Read" : "/Write");
    sample(hbm, {kHbm, "HBM", name, is_read ? "Read(MB/s)" : "Write(MB/s)", hbm.real(2), kBytesInMb});
  }
  DbRows cache(database_, "LLC",
               {required("timestampNs"), {"deviceId"}, required("llcId"), {"hitRate"}, {"throughput"}, {"mode"}}, file_,
               context_);
  while (cache.next()) {
    const bool is_read = strings_.find(cache.integer(5)) == "read";
    const std::string name = "LLC " + std::to_string(cache.integer(2).value_or(0)) + (is_read ? " Read/" : " Write/");
    sample(cache, {kCache, "LLC", name + "Throughput", "Throughput(MB/s)", cache.real(4), kBytesInMb});
    // The timeline calls it a percentage, too, and shows a ratio.
    sample(cache, {kCache, "LLC", name + "Hit Rate", "Hit Rate(%)", cache.real(3), kPercentInRatio});
  }
  DbRows ddr(database_, "DDR", {required("timestampNs"), {"deviceId"}, {"read"}, {"write"}}, file_, context_);
  while (ddr.next()) {
    sample(ddr, {kDdr, "DDR", "DDR/Read", "Read(MB/s)", ddr.real(2), kBytesInMb});
    sample(ddr, {kDdr, "DDR", "DDR/Write", "Write(MB/s)", ddr.real(3), kBytesInMb});
  }
}

void DbTimeline::read_levels() {
  DbRows frequency(database_, "AICORE_FREQ", {required("timestampNs"), {"deviceId"}, required("freq")}, file_,
                   context_);
  while (frequency.next()) sample(frequency, {kFrequency, "AI Core Freq", "AI Core Freq", "MHz", frequency.real(2)});
  DbRows soc(database_, "SOC_BANDWIDTH_LEVEL",
             {required("timestampNs"), {"deviceId"}, {"l2BufferBwLevel"}, {"mataBwLevel"}}, file_, context_);
  while (soc.next()) {
    sample(soc, {kSoc, "Stars Soc Info", "L2 Buffer Bw Level", "L2 Buffer Bw Level", soc.real(2)});
    sample(soc, {kSoc, "Stars Soc Info", "Mata Bw Level", "Mata Bw Level", soc.real(3)});
  }
  DbRows accelerators(database_, "ACC_PMU",
                      {required("timestampNs"),
                       {"deviceId"},
                       required("accId"),
                       {"readBwLevel"},
                       {"writeBwLevel"},
                       {"readOstLevel"},
                       {"writeOstLevel"}},
                      file_, context_);
  static constexpr const char* kNames[] = {"read_bandwidth", "write_band_width", "read_ost", "write_ost"};
  while (accelerators.next()) {
    for (size_t i = 0; i < 4; ++i) {
      sample(accelerators, {kAccelerators, "Acc PMU", kNames[i], "value", accelerators.real(3 + i)});
      sample(accelerators, {kAccelerators, "Acc PMU", kNames[i], "acc_id", accelerators.real(2)}, false);
    }
  }
}

}  // namespace stepwise::ingest
