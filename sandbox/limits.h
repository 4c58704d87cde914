// Every limit of the sandbox, by name.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "core/base/limits.h"

namespace stepwise::sandbox {

using namespace std::chrono_literals;

inline constexpr uint32_t kMaxFrameBytes = 1u << 20;
inline constexpr size_t kMaxMessageFromWorkerBytes = limits::kMaxMessageBytes;  // in frames
inline constexpr size_t kMaxLogLineBytes = 4096;
inline constexpr size_t kMaxSegmentsHeld = 64;  // by a worker from call to call: each is a mapping and a descriptor
inline constexpr size_t kMaxIdleWorkers = 2;    // of one plugin; those beyond end with their call

inline constexpr auto kTick = 50ms;          // between two looks at the cancel flag
inline constexpr auto kCancelGrace = 100ms;  // from CANCEL to SIGKILL
inline constexpr auto kEndGrace = 1s;        // from the end of the connection to SIGKILL: a busy machine takes its time
inline constexpr unsigned kCloseGrace_s = 1;  // in the worker, for the plugin's close; then the kernel ends it

inline constexpr int kDeathsBeforeBackoff = 3;  // in a row
inline constexpr auto kFirstBackoff = 1s;       // doubled by each further death
inline constexpr auto kMaxBackoff = 60s;

}  // namespace stepwise::sandbox
