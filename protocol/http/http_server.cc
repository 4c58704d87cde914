#include "protocol/http/http_server.h"

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/base/limits.h"
#include "core/base/log.h"
#include "core/engine/thread_pool.h"
#include "protocol/http/answers.h"
#include "protocol/http/event_pump.h"
#include "protocol/http/guards.h"
#include "protocol/http/reception.h"
#include "protocol/http/wire.h"

namespace stepwise::http {
namespace {

/// Of the streams that there may be.
unsigned most_idle(unsigned max_streams) { return max_streams - max_streams / 4; }

class Server final : public HttpServer {
 public:
  Server(const HttpServerOptions& options, std::map<std::string, HttpHandler> by_path, std::unique_ptr<Wire> wire)
      : max_streams_(options.max_streams),
        finish_within_(options.finish_within),
        clock_(*options.clock),
        tally_(options.tally),
        rules_(guard_rules(options.host, options.allowed_hosts, options.token)),
        by_path_(std::move(by_path)),
        wire_(std::move(wire)),
        handlers_(options.handler_threads + options.max_streams),
        watchers_(kWatcherThreads) {}
  ~Server() override { stop(); }

  Result<void> open(unsigned max_connections) {
    Reception::Options options;
    options.listener_fd = wire_->listener_fd();
    options.max_connections = max_connections;
    options.clock = &clock_;
    options.tally = tally_;
    options.check = [this](const RequestHead& head) { return check_request(head.request, rules_); };
    options.ready = [this](std::shared_ptr<Connection> connection) {
      engine::ThreadPool& threads = waits_for_nobody(connection->reader) ? watchers_ : handlers_;
      threads.submit([this, connection = std::move(connection)] { serve(connection); });
    };
    SW_ASSIGN_OR_RETURN(reception_, Reception::start(std::move(options)));
    return {};
  }

  int port() const override { return wire_->port(); }
  HttpCounters counters() const override {
    HttpCounters counters = tally_->get();
    counters.buffered_bytes = reception_->buffered_bytes();
    return counters;
  }

  void stop() override {
    const std::lock_guard once(stop_mutex_);
    if (reception_ == nullptr || stopped_) return;
    stopped_ = true;
    stopping_.store(true, std::memory_order_release);
    wire_->stop_listening();
    reception_->stop();
    if (handlers_.stop(finish_within_) && watchers_.stop(finish_within_)) return;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& connection : served_) connection->socket.cut();
    }
    // Handlers look whether their peer is there; there is nothing else that they may wait for.
    while (!handlers_.stop(limits::kStopJoin) || !watchers_.stop(limits::kStopJoin)) {
      log::warn("An HTTP handler does not end; still waiting for it.");
    }
  }

 private:
  /// Refusals, and what those ask who watch the server: answered also while every handler is at work.
  static bool waits_for_nobody(const RequestReader& reader) {
    if (reader.state() == RequestReader::State::refused) return true;
    const std::string& path = reader.head().request.path;
    return path == "/healthz" || path == "/metrics";
  }

  void serve(const std::shared_ptr<Connection>& connection) {
    {
      const std::lock_guard lock(mutex_);
      served_.insert(connection);
    }
    const bool goes_on = answer(*connection);
    {
      const std::lock_guard lock(mutex_);
      served_.erase(connection);
    }
    if (goes_on) {
      reception_->keep(connection);
    } else {
      reception_->let_go(connection);
    }
  }

  /// True: the connection may carry another request.
  bool answer(Connection& connection) {
    Wire::AnswerTo to{"GET", true, false};
    HttpResponse response;
    RequestReader& reader = connection.reader;
    if (reader.state() == RequestReader::State::refused) {
      const Refusal& why = reader.refusal();
      tally_->change([&](HttpCounters& counters) { ++counters.refused_by[why.guard]; });
      response = refusal_answer(why);
    } else {
      const RequestHead& head = reader.head();
      to = {head.request.method, !head.keep_alive, head.is_http_1_0};
      response = handle(connection);
    }
    const bool is_idle = response.is_idle;
    const bool has_stream = response.events != nullptr && open_stream(response);
    to.closes = to.closes || stopping_.load(std::memory_order_acquire) || (has_stream && to.is_http_1_0);
    const bool is_whole = send(connection.socket, to, response);
    tally_->change([&](HttpCounters& counters) {
      ++counters.requests;
      ++counters.answers[response.status];
      if (has_stream) --counters.open_streams;
      if (has_stream && is_idle) --counters.idle_streams;
      if (connection.socket.stalled()) ++counters.refused_by["stalled"];
    });
    return is_whole && !to.closes;
  }

  HttpResponse handle(Connection& connection) {
    const HttpRequest request = connection.reader.take_request();
    HttpResponse response = routed(request, connection.socket);
    add_cors(request, response);
    return response;
  }

  HttpResponse routed(const HttpRequest& request, const Socket& socket) {
    if (is_preflight(request)) return preflight_answer();
    const auto found = by_path_.find(request.path);
    if (found == by_path_.end()) return unknown_path_answer(by_path_);
    try {
      return found->second(request, [&socket] { return socket.peer_gone(); });
    } catch (const std::exception& problem) {
      log::error("An HTTP endpoint threw: " + std::string(problem.what()));
      return error_answer(500, "The server failed; its log says more.");
    }
  }

  /// False: too many are open, and the response says so instead.
  bool open_stream(HttpResponse& response) {
    bool has_room = false;
    tally_->change([&](HttpCounters& counters) {
      has_room = counters.open_streams < max_streams_ &&
                 (!response.is_idle || counters.idle_streams < most_idle(max_streams_));
      has_room ? ++counters.open_streams : ++counters.refused_by["full"];
      if (has_room && response.is_idle) ++counters.idle_streams;
    });
    if (has_room) return true;
    response.events->closed(true);
    response = busy_answer("There are as many event streams as there may be.");
    return false;
  }

  bool send(Socket& socket, const Wire::AnswerTo& to, HttpResponse& response) {
    add_common_headers(response);
    if (response.events == nullptr) return wire_->answer(socket, to, response, nullptr);
    EventPump pump(response.events, clock_, stopping_);
    return wire_->answer(socket, to, response, &pump);
  }

  const unsigned max_streams_;
  const std::chrono::milliseconds finish_within_;
  const Clock& clock_;
  const std::shared_ptr<Tally> tally_;
  const GuardRules rules_;
  const std::map<std::string, HttpHandler> by_path_;
  const std::unique_ptr<Wire> wire_;
  std::unique_ptr<Reception> reception_;  // outlives the handlers, which give connections back to it
  engine::ThreadPool handlers_, watchers_;

  std::atomic<bool> stopping_{false};
  std::mutex stop_mutex_;
  bool stopped_ = false;
  std::mutex mutex_;
  std::set<std::shared_ptr<Connection>> served_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options,
                                                      std::map<std::string, HttpHandler> by_path) {
  if (options.token.empty() && !is_loopback(options.host)) {
    return Error{ErrorKind::usage, "http.token",
                 "The server would be open to everybody who reaches " + options.host + ".",
                 "Set a token, or listen at 127.0.0.1.", options.host};
  }
  HttpServerOptions filled = options;
  if (filled.clock == nullptr) filled.clock = &Clock::steady();
  if (filled.tally == nullptr) filled.tally = std::make_shared<Tally>();
  SW_ASSIGN_OR_RETURN(auto wire, Wire::bind(filled.host, filled.port));
  auto server = std::make_unique<Server>(filled, std::move(by_path), std::move(wire));
  SW_RETURN_IF_ERROR(server->open(filled.max_connections));
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace stepwise::http
