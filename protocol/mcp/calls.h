// The tool calls in flight on one connection: who is answered, and that nobody is answered twice or after a cancel.
//
// Threads: open, submitted, cancel and take_all on the connection's thread; the sinks on the engine's. Every change
// and every send happens under one mutex (send only queues), so that once cancel has returned nothing more is sent
// for that call. Sinks keep the table alive; the transport is used only while the table holds their call.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/limits.h"
#include "core/engine/engine.h"
#include "protocol/jsonrpc/message.h"
#include "protocol/transport/transport.h"

namespace stepwise::mcp {

class Calls : public std::enable_shared_from_this<Calls> {
 public:
  enum class Refused : uint8_t { busy, duplicate };
  struct InFlight {
    jsonrpc::Id id;
    engine::WaiterId waiter;
  };

  explicit Calls(transport::Transport& out, size_t max_calls = limits::kMaxCallsPerConnection)
      : out_(out), max_calls_(max_calls) {}

  /// The sink that will answer request `id`. Without a token it sends no progress.
  std::variant<std::shared_ptr<engine::Sink>, Refused> open(const jsonrpc::Id& id,
                                                            std::optional<jsonrpc::Id> progress_token);
  /// What submit returned for it; the call may be answered by then.
  void submitted(const jsonrpc::Id& id, engine::WaiterId waiter);
  /// The waiter to cancel; nullopt: no such call (any more).
  std::optional<engine::WaiterId> cancel(const jsonrpc::Id& id);

  void wait_until_idle(std::chrono::milliseconds within);
  /// All that are left; none of them will be answered by its sink.
  std::vector<InFlight> take_all();

 private:
  class Call;

  void progress(const Call& call, std::string text);
  void finish(const Call& call, std::string text);
  bool holds(const Call& call) const;

  transport::Transport& out_;
  const size_t max_calls_;

  struct Entry {
    std::weak_ptr<const Call>
        call;  // the engine owns it, and it keeps this table alive: owning it here would be a circle
    engine::WaiterId waiter = 0;
  };
  std::mutex mutex_;
  std::condition_variable idle_;
  std::map<jsonrpc::Id, Entry> entries_;
};

}  // namespace stepwise::mcp
