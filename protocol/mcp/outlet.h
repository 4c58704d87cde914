// Where the messages of one request go: the connection (stdio), or the request's own stream (HTTP).
//
// Threads: any; nothing here blocks. Whoever holds an outlet may use it after the peer has gone: then nothing happens.
#pragma once

#include <optional>
#include <string>

#include "protocol/transport/transport.h"

namespace stepwise::mcp {

class Outlet {
 public:
  virtual ~Outlet() = default;
  /// A message that belongs to the request, before its answer.
  virtual void send(std::string text, transport::Delivery delivery) = 0;
  /// False: the answer alone goes out, so that the client cannot be asked anything on the way.
  virtual bool carries_messages() const { return true; }
  /// The answer; nothing comes after it. `error_code`: that of the JSON-RPC error, where it is one.
  virtual void finish(std::string text, std::optional<int> error_code) = 0;
};

}  // namespace stepwise::mcp
