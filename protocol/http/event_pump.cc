#include "protocol/http/event_pump.h"

#include "protocol/http/limits.h"

namespace stepwise::http {
namespace {

constexpr std::string_view kComment = ": keep-alive\n\n";

}  // namespace

EventPump::Step EventPump::step(const std::function<bool(std::string_view)>& write,
                                const std::function<bool()>& peer_gone) {
  if (peer_gone()) return close(true);
  if (!told_ && stopping_.load(std::memory_order_acquire)) {
    told_ = true;
    source_->stopping();
  }
  std::string events;
  const EventSource::State state = source_->next(events, kEventsWithin);
  const bool is_silent = events.empty() && clock_.now() - last_write_ >= kKeepAliveEvery;
  if (is_silent && state == EventSource::State::open) events = kComment;
  if (!events.empty()) {
    if (!write(events)) return close(true);
    last_write_ = clock_.now();
  }
  return state == EventSource::State::ended ? close(false) : Step::open;
}

EventPump::Step EventPump::close(bool peer_gone) {
  if (!closed_) {
    closed_ = true;
    source_->closed(peer_gone);
  }
  return peer_gone ? Step::gone : Step::ended;
}

}  // namespace stepwise::http
