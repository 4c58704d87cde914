// The sessions of legacy clients over HTTP: a connection each, with the streams of its requests, which a client may
// leave and take up again.
//
// Threads: any. A session that is taken lives as long as it is held, also past its end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "protocol/http/mcp_stream.h"
#include "protocol/mcp/connection.h"

namespace stepwise::http {

class McpSession {
 public:
  explicit McpSession(const std::shared_ptr<const mcp::Server>& server);
  ~McpSession();

  mcp::Connection& connection() const { return *connection_; }
  /// What belongs to no request.
  const std::shared_ptr<McpStream>& unasked() const { return unasked_; }
  /// For the messages of one more request. Of finished streams the last few are kept.
  std::shared_ptr<McpStream> new_stream(bool answer_alone = false);
  /// Somebody waits for something of it.
  bool in_use() const;
  /// `event_id` as events carry it ("3-17"): the stream, and the number of the event. nullopt: there is none (any
  /// more).
  std::optional<std::pair<std::shared_ptr<McpStream>, uint64_t>> find(const std::string& event_id) const;
  /// Requests in flight are answered or told why not; streams end.
  void finish(std::chrono::milliseconds within, mcp::Connection::Why why);

 private:
  const std::shared_ptr<McpStream> unasked_;
  const std::shared_ptr<mcp::Connection> connection_;
  mutable std::mutex mutex_;
  uint64_t last_stream_ = 0;
  std::map<uint64_t, std::shared_ptr<McpStream>> streams_;
};

class McpSessions {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// Past `most` one that nobody waits for is ended: first those that nothing followed the handshake of, then the one
  /// that was unused for longest.
  McpSessions(std::shared_ptr<const mcp::Server> server, size_t most, Clock clock);

  /// The id is 32 hexadecimal digits of randomness. nullptr: all that there may be are in use.
  std::pair<std::string, std::shared_ptr<McpSession>> open();
  /// nullptr: unknown, or ended.
  std::shared_ptr<McpSession> find(const std::string& id);
  bool end(const std::string& id);
  void finish_all(std::chrono::milliseconds within);
  size_t count() const;

 private:
  struct Entry {
    std::shared_ptr<McpSession> session;
    bool is_followed = false;  // something came after the handshake
    std::chrono::steady_clock::time_point used;
  };
  /// nullptr: there is none that could go.
  std::shared_ptr<McpSession> make_room();

  const std::shared_ptr<const mcp::Server> server_;
  const size_t most_;
  const Clock clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> sessions_;
};

}  // namespace stepwise::http
