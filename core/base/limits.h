// Every limit of the program, by name. Tests stand on both sides of each.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stepwise::limits {

using namespace std::chrono_literals;

// Ingest
inline constexpr size_t kTraceWindowBytes = 1u << 20;     // split input, parsed as one piece
inline constexpr size_t kMaxTraceEventBytes = 16u << 20;  // a longer event is skipped and counted
inline constexpr size_t kCsvChunkBytes = 1u << 18;
inline constexpr size_t kMaxCsvRecordBytes = 16u << 20;  // a longer record is skipped and counted
inline constexpr size_t kMaxCsvColumns = 4096;           // a header with more is no table of a profiler
// Bounds of what can be true, so that no sum of true values overflows: instants to the year 2116, a day, a trillion.
inline constexpr int64_t kMaxInstantNs = int64_t{1} << 62;
inline constexpr int64_t kMaxDurationNs = 86'400'000'000'000;
inline constexpr int64_t kMaxCount = 1'000'000'000'000;
inline constexpr size_t kMaxJsonSummaryBytes = 256u << 20;  // communication.json and the like, read whole
inline constexpr size_t kMaxMetadataBytes = 16u << 20;      // profiler_info.json and the like, read whole
inline constexpr size_t kMaxDiagnosticExamples = 3;         // places remembered for each kind of loss
inline constexpr size_t kMaxRanksListed = 64;
inline constexpr size_t kMaxFilesListed = 200;
inline constexpr int kMaxProfileDepth = 6;               // directories below the one that was given
inline constexpr size_t kMaxProfileEntries = 1'000'000;  // names looked at in all: a hundred for each of 10,000 ranks
inline constexpr size_t kMaxFilesSniffed = 20'000;       // files of any name whose first bytes are looked at
inline constexpr size_t kMaxGraphFiles = 256;            // of one profile

// JSON messages
inline constexpr int kMaxJsonDepth = 64;
inline constexpr size_t kMaxMessageBytes = 8u << 20;

// Plugins
inline constexpr size_t kMaxResultRows = 10'000;
inline constexpr size_t kMaxResultBytes = 4u << 20;
inline constexpr int kMaxNestedCalls = 4;
inline constexpr int kMaxAbandonedThreads = 8;

// Answers
inline constexpr int64_t kMaxLimitArgument = 1'000;
inline constexpr size_t kTextTokensDefault = 2'000;
inline constexpr size_t kTextTokensHard = 10'000;
inline constexpr size_t kCharsPerToken = 4;

// Server
inline constexpr int kMaxCallsPerConnection = 64;
inline constexpr int kMaxCallsInAll = 256;
inline constexpr size_t kOutQueueBytes = 8u << 20;
inline constexpr auto kOutStalled = 30s;
inline constexpr auto kAnswerRunningAfter = 10s;
inline constexpr auto kAnalysisDeadline = 60s;
// Segments that a tool that reads on demand may wait for as long as it takes: one huge rank is what was asked for, a
// thousand ranks seldom are.
inline constexpr size_t kSegmentsWaitedFor = 16;
inline constexpr auto kAbandonAfter = 2s;
inline constexpr auto kIngestLinger = 60s;
inline constexpr auto kProgressTick = 250ms;
inline constexpr auto kProgressAtLeast = 15s;
inline constexpr auto kStopWaiters = 3s;
inline constexpr auto kStopDrain = 1s;
inline constexpr auto kStopJoin = 2s;

// Advice
inline constexpr size_t kMaxDraftBytes = 2u << 20;
inline constexpr size_t kMaxDraftItems = 1000;
inline constexpr size_t kDraftTextShown = 400;  // code points of an item as written: its writer has it

// Store
inline constexpr uint64_t kCacheBytesDefault = 20ull << 30;
inline constexpr auto kCacheLockPoll = 20ms;
inline constexpr size_t kResultCacheEntries = 512;

}  // namespace stepwise::limits
