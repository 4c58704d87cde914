// A transport carries whole messages and knows nothing of what is in them: framing, and who waits for whom.
//
// Life: made -> run (blocks; the reader) -> close (writes what is queued, then no more). stop may come at any time.
// Threads: run gives every message to the receiver on its caller's thread, one at a time; send and stop are called
// from any thread and never block; close belongs to the owner and may be called twice.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace stepwise::transport {

class Receiver {
 public:
  virtual ~Receiver() = default;
  /// One message as it came, without its frame. The text is borrowed until the call returns.
  virtual void message(std::string_view text) = 0;
  /// A message was dropped by the framing; reading goes on behind it. Errors: limit `transport.message_too_long`.
  virtual void lost(const Error& why) = 0;
};

enum class Delivery : uint8_t {
  required,   // an answer: waits in the queue whatever its length
  droppable,  // progress: given up first when the peer reads too slowly
};

enum class End : uint8_t { input_ended, stopped };

class Transport {
 public:
  virtual ~Transport() = default;
  /// Errors: io `transport.read`, `transport.write` (the peer is gone), `transport.stalled`.
  virtual Result<End> run(Receiver& receiver) = 0;
  /// Nothing happens once the transport has failed or is closed.
  virtual void send(std::string message, Delivery delivery) = 0;
  /// run returns End::stopped soon; what was queued can still go out by close.
  virtual void stop() = 0;
  virtual void close(std::chrono::milliseconds drain_within) = 0;
};

}  // namespace stepwise::transport
