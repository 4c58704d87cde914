// One peer of an MCP server: its messages become engine requests, and answers go back to where each request came from.
// Both eras at once: what carries the modern `_meta` is answered by itself, everything else by the handshake's rules.
// A connection is a stdio process, a legacy HTTP session, or one modern HTTP request.
//
// Life: make -> handle (any threads) -> finish (once, answers what is left) or abandon (the peer is gone: nothing more
// is sent, work is cancelled). Sinks of the engine may outlive it.
// Every change and every send happens under one mutex (outlets only queue), so that once a cancel is handled nothing
// more is sent for that request, and none is answered twice.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "protocol/jsonrpc/message.h"
#include "protocol/mcp/flight.h"
#include "protocol/mcp/listening.h"
#include "protocol/mcp/server.h"

namespace stepwise::mcp {

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// `unasked`: where notifications go that belong to no request (legacy); nullptr: nowhere.
  static std::shared_ptr<Connection> make(std::shared_ptr<const Server> server, std::shared_ptr<Outlet> unasked,
                                          size_t max_calls = limits::kMaxCallsPerConnection);
  ~Connection();

  void handle(jsonrpc::Incoming message, const std::shared_ptr<Outlet>& outlet);

  /// Requests in flight get their answers within that time; the others are told why not.
  enum class Why : uint8_t { server_stops, session_ended };
  void finish(std::chrono::milliseconds within, Why why = Why::server_stops);
  /// Somebody waits for an answer, or listens.
  bool is_busy();
  void abandon();

 private:
  class FlightSink;
  struct Asked {
    FlightPtr flight;
    std::string key;
  };

  Connection(std::shared_ptr<const Server> server, std::shared_ptr<Outlet> unasked, size_t max_calls);

  void request(jsonrpc::Request request, const std::shared_ptr<Outlet>& outlet);
  void notification(const jsonrpc::Notification& notification);
  void response(jsonrpc::Response response);

  void modern_request(jsonrpc::Request request, const std::shared_ptr<Outlet>& outlet);
  void legacy_request(jsonrpc::Request request, const std::shared_ptr<Outlet>& outlet);
  std::optional<Settled> of_handshake(const jsonrpc::Request& request);
  Settled initialize(const Json& params);
  Settled set_level(const Json& params);
  Settled subscribe(const Json& params, bool on);
  void listen(const jsonrpc::Request& request, Context context);
  void cancelled(const Json& params);
  bool has_room();
  void changed(const Change& change);

  void begin(jsonrpc::Request request, Method method, Context context, const engine::ClientInput& client);
  void take(const FlightPtr& flight, Step step);
  void submit(const FlightPtr& flight, Work work);
  void settle(const FlightPtr& flight, Settled settled);
  void settle_locked(const FlightPtr& flight, Settled settled);
  void ask_locked(const FlightPtr& flight, engine::ClientAsk questions);
  void answer_locked(const FlightPtr& flight, const Settled& settled);
  void end_locked(const FlightPtr& flight);
  void answer(const jsonrpc::Request& request, const Context& context, const Settled& settled) const;
  void progress(const FlightPtr& flight, const ProgressGauge::Value& value);
  void log(const FlightPtr& flight, const engine::LogMessage& message);

  const std::shared_ptr<const Server> server_;
  const std::shared_ptr<Outlet> unasked_;
  const size_t max_calls_;
  std::optional<Changes::Id> changes_id_;

  std::mutex mutex_;
  std::condition_variable idle_;
  std::map<jsonrpc::Id, FlightPtr> flights_;
  std::map<std::string, Asked> asked_;  // by the ids of our own requests
  std::map<jsonrpc::Id, std::unique_ptr<Listening>> listening_;
  uint64_t last_ask_ = 0;
  // Of the legacy handshake:
  bool initialized_ = false;
  Json client_capabilities_ = Json::object();
  engine::LogLevel log_from_ = engine::LogLevel::info;
  std::set<std::string> subscribed_;
};

}  // namespace stepwise::mcp
