// Two file descriptors of this process: standard input and output, a socket twice, or pipes in tests.
//
// Threads: run's caller reads, one thread of its own writes. Each sits in poll() with an eventfd beside, so that both
// can always be joined; the descriptors stay blocking, since O_NONBLOCK would be set for every process that shares
// the open file. Descriptors are borrowed, and nobody else may read or write them meanwhile.
// Pressure: past `out_queue_bytes` droppable messages are dropped, then the reader stops reading until the peer has
// taken some. A peer that takes no byte for `stalled_after` ends the connection.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/limits.h"
#include "protocol/transport/framing.h"
#include "protocol/transport/out_queue.h"
#include "protocol/transport/transport.h"
#include "protocol/transport/wake.h"

namespace stepwise::transport {

class Stdio final : public Transport {
 public:
  struct Options {
    int in_fd = -1;
    int out_fd = -1;
    int stop_fd = -1;  // readable: run ends as by stop(); -1: none
    size_t out_queue_bytes = limits::kOutQueueBytes;
    std::chrono::milliseconds stalled_after = limits::kOutStalled;
  };
  struct Counters {
    uint64_t dropped = 0;        // droppable messages that were given up
    uint64_t reader_pauses = 0;  // times that reading stopped until the peer took something
  };

  /// Errors: io `transport.eventfd`.
  static Result<std::unique_ptr<Stdio>> open(const Options& options, std::unique_ptr<Framing> framing);
  ~Stdio() override;

  Result<End> run(Receiver& receiver) override;
  void send(std::string message, Delivery delivery) override;
  void stop() override;
  void close(std::chrono::milliseconds drain_within) override;

  Counters counters() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Outgoing {  // what the writer has in hand; its thread only
    std::string bytes;
    size_t written = 0;
    Clock::time_point last_taken;
    bool pending() const { return written < bytes.size(); }
  };

  Stdio(const Options& options, std::unique_ptr<Framing> framing, Wake reader_wake, Wake writer_wake);

  void write_loop();
  bool next_message(Outgoing& out);  // false: closed, and all is written
  bool wait_until_writable(const Outgoing& out) const;
  bool write_some(Outgoing& out);
  bool given_up(const Outgoing& out);
  Clock::time_point give_up_at(const Outgoing& out) const;
  void fail(Error why);

  const Options options_;
  const std::unique_ptr<Framing> framing_;
  const Wake reader_wake_, writer_wake_;

  mutable std::mutex mutex_;
  OutQueue queue_;
  bool stopping_ = false;
  bool reader_paused_ = false;
  uint64_t reader_pauses_ = 0;
  std::optional<Clock::time_point> drain_until_;  // set by close
  std::optional<Error> failure_;

  std::thread writer_;  // last: it uses all of the above
};

}  // namespace stepwise::transport
