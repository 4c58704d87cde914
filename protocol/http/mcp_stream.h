// The messages that belong to one request of MCP (or, unasked, to a session), on their way to whoever reads them: as an
// event stream that may be left and taken up again, or as one answer.
//
// Threads: any. Messages come from the engine's, a reader is one handler's thread at a time; a newer reader ends the
// older one, so that no message goes out twice.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "protocol/http/exchange.h"
#include "protocol/mcp/outlet.h"

namespace stepwise::http {

class McpStream final : public mcp::Outlet, public std::enable_shared_from_this<McpStream> {
 public:
  /// What has come so far. `events`: something before the answer, so that one body cannot hold it.
  enum class Came : uint8_t { nothing, events, answer };
  struct Reading {
    std::optional<uint64_t> after{};  // events up to this number are not sent; nullopt: those that were sent before
    bool may_resume = false;          // events carry ids, and stay for a reader that comes back
    bool tells_retry = false;         // begins with an event that names the place to come back to
    std::optional<std::chrono::milliseconds>
        release_after{};              // then the client is sent away, to come back for the rest
    std::function<void()> on_gone{};  // the peer went before the end
  };

  /// `number` names the stream in the ids of its events: unique in a session. `answer_alone`: its client takes one body
  /// and no events.
  explicit McpStream(uint64_t number, bool answer_alone = false) : number_(number), answer_alone_(answer_alone) {}

  bool carries_messages() const override { return !answer_alone_; }

  void send(std::string text, transport::Delivery delivery) override;
  void finish(std::string text, std::optional<int> error_code) override;
  /// No more messages, without an answer (the end of a session's own stream).
  void end();

  Came wait(std::chrono::milliseconds within);
  /// Of a stream whose answer came.
  std::string answer() const;
  std::optional<int> error_code() const;
  bool finished() const;
  size_t bytes() const;
  uint64_t last_event() const;
  /// Somebody reads it.
  bool has_reader() const;

  std::shared_ptr<EventSource> read(Reading reading);

 private:
  class Reader;
  struct Event {
    uint64_t number;
    std::string text;
    transport::Delivery delivery;
  };

  void push(std::string text, transport::Delivery delivery);

  const uint64_t number_;
  const bool answer_alone_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  size_t bytes_ = 0;
  uint64_t last_event_ = 0, sent_ = 0;
  uint64_t reader_ = 0;  // the last one, which alone is valid
  bool has_reader_ = false;
  bool finished_ = false;
  std::optional<int> error_code_;
};

}  // namespace stepwise::http
