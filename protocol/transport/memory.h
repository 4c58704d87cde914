// A transport without a wire, for tests: messages are handed over whole.
//
// The peer's half (put, end, take) may be used from any thread; with run on a thread of its own it is a full
// connection, without run the owner may call the receiver itself and look at what was sent.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "protocol/transport/transport.h"

namespace stepwise::transport {

class Memory final : public Transport {
 public:
  Result<End> run(Receiver& receiver) override;
  void send(std::string message, Delivery delivery) override;
  void stop() override;
  void close(std::chrono::milliseconds drain_within) override;

  void put(std::string message);
  void end();
  /// The oldest message sent. Waits for one; nullopt: closed, or none came within the time (a guard against hanging).
  std::optional<std::string> take(std::chrono::milliseconds within);
  size_t sent_count() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> incoming_, sent_;
  bool ended_ = false, stopped_ = false, closed_ = false;
};

}  // namespace stepwise::transport
