// The limits of the HTTP face. What holds for messages of every face stands in core/base/limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace stepwise::http {

using namespace std::chrono_literals;

inline constexpr size_t kMaxHeadBytes = 64u << 10;  // request line and headers
inline constexpr size_t kMaxHeaderLines = 100;
inline constexpr size_t kMaxTargetBytes = 8u << 10;
inline constexpr size_t kMaxChunkLineBytes = 1u << 10;  // size and extensions of a chunk, or a line of the trailer
inline constexpr size_t kMaxTrailerLines = 100;
inline constexpr size_t kReadBytes = 64u << 10;  // taken from a socket at once

// Each connection may hold so much without asking; what is more comes out of a store that all share.
inline constexpr size_t kFreeBufferBytes = 64u << 10;
inline constexpr size_t kSharedBufferBytes = 64u << 20;

inline constexpr auto kHeadWithin = 5s;  // from its first byte; a new connection's first byte too
inline constexpr auto kBodyWithin = 5s;  // and a second for each kBodyBytesASecond that came
inline constexpr size_t kBodyBytesASecond = 256u << 10;
inline constexpr auto kIdleWithin = 60s;   // between two requests of a connection
inline constexpr auto kLingerWithin = 2s;  // for the peer to read a last answer before its unread bytes reset it
inline constexpr auto kWriteWithin = 10s;  // for one write, and a second for each kWriteBytesASecond that went
inline constexpr size_t kWriteBytesASecond = 16u << 10;
inline constexpr auto kTick = 100ms;  // how often deadlines and peers are looked at

inline constexpr auto kEventsWithin = 250ms;  // one wait for events of a stream
inline constexpr auto kKeepAliveEvery = 15s;  // a comment on a stream that has nothing to say
inline constexpr int kRetryAfterSeconds = 5;

inline constexpr int kListenBacklog = 1024;
inline constexpr unsigned kWatcherThreads = 2;  // for answers that wait for nobody

}  // namespace stepwise::http
