#include "clients/example/memory_writers.h"

#include <iterator>

namespace stepwise::example {
namespace {

constexpr int64_t kStream = 1'431'569'360;      // a pointer
constexpr int64_t kSampleNs = 20'000'000;       // the driver is asked so often
constexpr int64_t kProcessBytes = 689'336'320;  // beside what the framework's allocator took
constexpr int64_t kFirstMemoryString = int64_t{2} << 28, kFirstDriverString = int64_t{1} << 27;

struct Module {
  const char* name;
  int64_t bytes;
};
constexpr Module kModules[] = {{"SLOG", 0},           {"HCCL", 423'690'240}, {"RUNTIME", 119'537'664},
                               {"DEVMM", 10'485'760}, {"APP", 2'097'152},    {"AICPU", 0}};

double mb(int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

void mb_cells(TextFile& file, const MemoryTotals& totals) {
  file.text(",").python_float(mb(totals.allocated_bytes));
  file.text(",").python_float(mb(totals.reserved_bytes));
  file.text(",").python_float(mb(totals.allocated_bytes));  // all of it is active
}

template <class Take>
void for_each_sample(const Tally& tally, const Take& take) {
  for (int64_t ns = tally.recording_start_ns(); ns <= tally.recording_end_ns(); ns += kSampleNs) take(ns);
}

}  // namespace

int64_t module_count() { return static_cast<int64_t>(std::size(kModules)); }

MemorySums sums_of(const MemoryModel& model, const Tally& tally) {
  MemorySums sums{model.peak(), model.blocks(), model.changes(), 0};
  for_each_sample(tally, [&sums](int64_t) { ++sums.samples; });
  return sums;
}

MemoryTextWriter::MemoryTextWriter(TextFile& records, TextFile& blocks, int steps, int64_t device, const Tally& tally,
                                   const MemorySums& sums)
    : MemoryModel(steps), records_(records), blocks_(blocks), device_("NPU:" + std::to_string(device)) {
  records_.text(
      "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\n");
  blocks_.text(
      "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),"
      "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total "
      "Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\n");
  for_each_sample(tally, [&](int64_t ns) {
    records_.text("APP,").us3(ns).text("\t,,").python_float(mb(sums.peak.reserved_bytes + kProcessBytes));
    records_.text(",,,").text(device_).text("\r\n");
  });
}

void MemoryTextWriter::changed(int64_t ns, const MemoryTotals& after) {
  for (const char* component : {"PTA", "PTA+GE"}) {
    records_.text(component).text(",").us3(ns).text("\t");
    mb_cells(records_, after);
    records_.text(",").integer(kStream).text(",").text(device_).text("\r\n");
  }
}

void MemoryTextWriter::block(const MemoryBlock& block) {
  blocks_.text(block.name).text(",").python_float(static_cast<double>(block.bytes) / 1024).text(",");
  blocks_.us3(block.alloc_ns).text("\t");
  if (block.release_ns) {
    for (int i = 0; i < 2; ++i) blocks_.text(",").us3(*block.release_ns).text("\t");
    for (int i = 0; i < 2; ++i) blocks_.text(",").us3(*block.release_ns - block.alloc_ns).text("\t");
  } else {
    blocks_.text(",,,,");
  }
  mb_cells(blocks_, block.after_alloc);
  if (block.release_ns) {
    mb_cells(blocks_, block.after_release);
  } else {
    blocks_.text(",,,");
  }
  blocks_.text(",").integer(kStream).text(",").text(device_).text("\r\n");
}

Result<int64_t> write_npu_module_mem(const std::filesystem::path& path, int64_t device, const Tally& tally) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text("Component,Timestamp(us),Total Reserved(MB),Device\n");
  for (const Module& module : kModules) {
    for_each_sample(tally, [&](int64_t ns) {
      file.text(module.name).text(",").us3(ns).text("\t,").python_float(mb(module.bytes));
      file.text(",NPU:").integer(device).text("\n");
    });
  }
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

MemoryDbWriter::MemoryDbWriter(SqliteFile& db, int steps, int64_t device, const Tally& tally, const MemorySums& sums)
    : MemoryModel(steps), db_(db), device_(device), strings_(db, kFirstMemoryString) {
  db_.create_table("MEMORY_RECORD",
                   "component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER, totalActive "
                   "INTEGER, streamPtr INTEGER, deviceId INTEGER");
  db_.create_table("OP_MEMORY",
                   "name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, activeReleaseTime INTEGER,"
                   " duration INTEGER, activeDuration INTEGER, allocationTotalAllocated INTEGER, "
                   "allocationTotalReserved INTEGER, allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, "
                   "releaseTotalReserved INTEGER, releaseTotalActive INTEGER, streamPtr INTEGER, deviceId INTEGER");
  db_.create_table("NPU_MEM", "type INTEGER,ddr NUMERIC,hbm NUMERIC,timestampNs INTEGER,deviceId INTEGER");
  db_.create_table("NPU_MODULE_MEM", "moduleId INTEGER,timestampNs INTEGER,totalReserved NUMERIC,deviceId INTEGER");
  db_.create_table("ENUM_MODULE", "id INTEGER PRIMARY KEY,name TEXT");
  DbStrings driver(db, kFirstDriverString);
  for_each_sample(tally, [&](int64_t ns) {
    db_.insert("NPU_MEM", {driver.id("app"), int64_t{0}, sums.peak.reserved_bytes + kProcessBytes, ns, device_});
  });
  int64_t id = 0;
  for (const Module& module : kModules) {
    db_.insert("ENUM_MODULE", {id, module.name});
    for_each_sample(tally, [&](int64_t ns) { db_.insert("NPU_MODULE_MEM", {id, ns, module.bytes, device_}); });
    ++id;
  }
}

void MemoryDbWriter::changed(int64_t ns, const MemoryTotals& after) {
  for (const char* component : {"PTA", "PTA+GE"}) {
    db_.insert("MEMORY_RECORD", {strings_.id(component), ns, after.allocated_bytes, after.reserved_bytes,
                                 after.allocated_bytes, kStream, device_});
  }
}

void MemoryDbWriter::block(const MemoryBlock& block) {
  SqlValue release, dur, allocated, reserved;
  if (block.release_ns) {
    release = *block.release_ns;
    dur = *block.release_ns - block.alloc_ns;
    allocated = block.after_release.allocated_bytes;
    reserved = block.after_release.reserved_bytes;
  }
  const MemoryTotals& at = block.after_alloc;
  db_.insert("OP_MEMORY",
             {strings_.id(block.name), block.bytes, block.alloc_ns, release, release, dur, dur, at.allocated_bytes,
              at.reserved_bytes, at.allocated_bytes, allocated, reserved, allocated, kStream, device_});
}

}  // namespace stepwise::example
