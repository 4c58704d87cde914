// How messages are told apart in a stream of bytes. Incoming: chunks with no alignment owed; outgoing: one message.
// The incoming half is used by one thread, `frame` by any.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/limits.h"
#include "protocol/transport/transport.h"

namespace stepwise::transport {

class Framing {
 public:
  virtual ~Framing() = default;
  virtual void feed(std::string_view bytes, Receiver& receiver) = 0;
  /// The input is over. An unfinished last message is given to the receiver as it is: whole or not, it decides.
  virtual void finish(Receiver& receiver) = 0;
  virtual std::string frame(std::string message) const = 0;
};

/// One message a line (MCP on stdio). Empty lines are ignored, CRLF is tolerated.
std::unique_ptr<Framing> line_framing(size_t max_message_bytes = limits::kMaxMessageBytes);

/// For people and tests: messages of any number of lines, divided by lines `---`; lines that begin with # are
/// comments.
std::unique_ptr<Framing> readable_framing(size_t max_message_bytes = limits::kMaxMessageBytes);

/// What a framing says of a message that it gave up.
Error message_too_long(size_t max_message_bytes);

}  // namespace stepwise::transport
