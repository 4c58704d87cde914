// One end of the connection: messages out and in, over a stream socket, with limits.
//
// Threads: one thread sends at a time, one receives; they may be two. Neither ever waits longer than a tick without
// asking its caller.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <queue>
#include <string>

#include "sandbox/wire.h"

namespace stepwise::sandbox {

class Channel {
 public:
  enum class Arrival : uint8_t {
    message,
    nothing,    // within the time given
    closed,     // by the other end
    violation,  // what came is not of this protocol; nothing more can be read
  };

  /// Whether descriptors that come along are kept or dropped: who does not trust the other end drops them.
  enum class Descriptors : uint8_t { take, drop };

  /// A message that grows past the limit is a violation.
  Channel(store::Descriptor socket, size_t max_message_bytes, Descriptors descriptors);

  /// False: the other end is gone, or `give_up`, asked once a tick while the socket is full, said so.
  /// The descriptor, if there is one, stays the caller's; message.descriptor is for what arrives.
  bool send(const Message& message, const std::function<bool()>& give_up, int descriptor = -1);
  /// Waits for at most `wait`, also when a part of a message is there; negative: without end.
  Arrival receive(Message& out, std::chrono::milliseconds wait);
  /// What is wrong, after a violation: the end of a sentence.
  const std::string& violation() const { return violation_; }

 private:
  std::optional<Arrival> take_message(Message& out);
  Arrival violate(std::string what);
  bool send_frame(const FrameHeader& header, const char* payload, int descriptor, const std::function<bool()>& give_up);

  store::Descriptor socket_;
  const size_t max_message_bytes_;
  const Descriptors takes_;
  std::string buffer_;     // arrived
  size_t taken_ = 0;       // bytes of it that are used up
  std::string assembled_;  // of a message whose last frame is not here yet
  std::optional<uint16_t> assembled_kind_;
  store::Descriptor assembled_descriptor_;
  std::queue<store::Descriptor> descriptors_;
  std::string violation_;
};

}  // namespace stepwise::sandbox
