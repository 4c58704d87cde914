// Where connections wait: one thread that accepts, reads all of them without blocking, and hands a connection on when
// a whole request is there (or cannot come any more). So idle clients, slow ones and those that drip cost a descriptor
// and a buffer, never a thread. Where there are as many connections as there may be, a new one takes the place of the
// one that has let the server wait longest: whoever holds connections only to hold them keeps nobody out.
//
// Life: constructed (the thread runs) -> stop (joined; waiting connections are closed). keep and let_go from any
// thread, after stop they close the connection.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/clock.h"
#include "protocol/http/connection.h"
#include "protocol/http/limits.h"
#include "protocol/transport/wake.h"

namespace stepwise::http {

class Reception {
 public:
  struct Options {
    int listener_fd = -1;  // borrowed; listens, does not block
    unsigned max_connections = 0;
    const Clock* clock = nullptr;
    std::shared_ptr<Tally> tally;
    RequestReader::HeadCheck check;
    /// The reader is done or refused. On the reception's thread: must not block.
    std::function<void(std::shared_ptr<Connection>)> ready;
  };

  /// Errors: io `transport.eventfd`, `http.epoll`.
  static Result<std::unique_ptr<Reception>> start(Options options);
  ~Reception();

  /// A connection that was answered and may send its next request.
  void keep(std::shared_ptr<Connection> connection);
  /// A connection that was answered for the last time: closed when the peer has read that, or after kLingerWithin.
  void let_go(std::shared_ptr<Connection> connection);
  void stop();

  size_t buffered_bytes() const { return store_.in_use(); }

 private:
  Reception(Options options, transport::Wake wake, int epoll_fd);
  void run();
  void accept_some();
  bool has_room() const;
  bool make_room();
  void take_returned();
  void adopt(std::shared_ptr<Connection> connection);
  void readable(const std::shared_ptr<Connection>& connection);
  void feed(const std::shared_ptr<Connection>& connection, std::string_view bytes);
  void hand_on(const std::shared_ptr<Connection>& connection);
  void forget(const Connection& connection);
  void look_at_deadlines();
  std::chrono::steady_clock::duration waited(const Connection& connection) const;
  bool is_late(const Connection& connection) const;
  void give_back(std::shared_ptr<Connection> connection, Connection::Waits waits);
  void watch_listener(bool watched);

  const Options options_;
  BufferStore store_;
  const transport::Wake wake_;
  const int epoll_fd_;
  std::map<const Connection*, std::shared_ptr<Connection>> waiting_;  // the thread's own
  std::array<char, kReadBytes> scratch_{};                            // the same
  bool listener_watched_ = false;                                     // the same

  std::mutex mutex_;
  std::vector<std::shared_ptr<Connection>> returned_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace stepwise::http
