// A connection and the request that is coming on it. Belongs to Reception while it waits, to a handler's thread while
// it is answered.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/base/clock.h"
#include "protocol/http/buffer_share.h"
#include "protocol/http/request_reader.h"
#include "protocol/http/socket.h"
#include "protocol/http/tally.h"

namespace stepwise::http {

struct Connection {
  enum class Waits : uint8_t { for_first_request, for_next_request, to_be_closed };

  Connection(int fd, const Clock& clock, BufferStore& store, std::shared_ptr<Tally> counts,
             RequestReader::HeadCheck check)
      : socket(fd, clock), share(store), reader(std::move(check)), tally(std::move(counts)) {
    tally->change([](HttpCounters& counters) { ++counters.connections, ++counters.open_connections; });
  }
  ~Connection() {
    tally->change([](HttpCounters& counters) { --counters.open_connections; });
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Socket socket;
  BufferShare share;
  RequestReader reader;
  std::string early;  // bytes of the next request that came with this one
  Waits waits = Waits::for_first_request;
  Clock::TimePoint since;  // of what it waits for, or of the first byte of what is being read
  const std::shared_ptr<Tally> tally;
};

}  // namespace stepwise::http
