// Takes the events of one stream from their source to a peer. One thread at a time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "protocol/http/exchange.h"

namespace stepwise::http {

class EventPump {
 public:
  enum class Step : uint8_t { open, ended, gone };

  /// `stopping` becomes true when the server is about to stop.
  EventPump(std::shared_ptr<EventSource> source, const Clock& clock, const std::atomic<bool>& stopping)
      : source_(std::move(source)), clock_(clock), stopping_(stopping), last_write_(clock.now()) {}
  /// A stream that was not pulled to its end has lost its peer.
  ~EventPump() { close(true); }
  EventPump(const EventPump&) = delete;
  EventPump& operator=(const EventPump&) = delete;

  /// One wait for events. After anything but `open` the source is closed and step is not called again.
  Step step(const std::function<bool(std::string_view)>& write, const std::function<bool()>& peer_gone);

 private:
  Step close(bool peer_gone);

  const std::shared_ptr<EventSource> source_;
  const Clock& clock_;
  const std::atomic<bool>& stopping_;
  Clock::TimePoint last_write_;
  bool told_ = false, closed_ = false;
};

}  // namespace stepwise::http
