// Every limit of a query, by name. Tests stand on both sides of each.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stepwise::query::limits {

using namespace std::chrono_literals;

inline constexpr auto kTime = 5s;                   // of work on the processor: a busy machine makes no query worse
inline constexpr auto kWallTime = 30s;              // of waiting for the processor and files, too
inline constexpr uint64_t kRowSteps = 30'000'000;   // rows of tables looked at
inline constexpr size_t kMemoryBytes = 256u << 20;  // SQLite's own, of one query: sorting, grouping, texts
inline constexpr size_t kLookupBytes = 128u << 20;  // ours: row numbers in the order of a column
inline constexpr size_t kMaxSqlBytes = 64u << 10;   //
inline constexpr int kMaxValueBytes = 16 << 20;     // of one text, and of one row
inline constexpr int kMaxExpressionDepth = 200;
inline constexpr int kMaxColumns = 500;
inline constexpr int kMaxCompound = 50;         // SELECTs joined by UNION and the like
inline constexpr int kMaxMachineOps = 100'000;  // a prepared statement's instructions
inline constexpr int kMaxPatternBytes = 1000;   // of LIKE and GLOB, which take its time for each byte of the text
inline constexpr int kStepsBetweenPolls = 500;  // of SQLite's machine, of which one may go through 16 MiB
inline constexpr int64_t kMaxSearchCost = 500'000'000;  // bytes of a text times those of what is looked for in it
inline constexpr uint64_t kRowsBetweenPolls = 4'096;
inline constexpr size_t kMaxIdleConnections = 8;

}  // namespace stepwise::query::limits
