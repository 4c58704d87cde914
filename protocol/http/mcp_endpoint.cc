#include "protocol/http/mcp_endpoint.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "protocol/http/mcp_headers.h"
#include "protocol/http/mcp_sessions.h"
#include "protocol/http/mcp_stream.h"
#include "protocol/mcp/connection.h"
#include "protocol/mcp/modern.h"
#include "protocol/mcp/params.h"
#include "protocol/mcp/revision.h"

namespace stepwise::http {
namespace {

using jsonrpc::ErrorObject;
using namespace std::chrono_literals;

constexpr auto kPeerLook = 100ms;  // how often a waiting handler looks whether the peer is still there
constexpr std::string_view kEventStream = "text/event-stream", kJson = "application/json";
// The first revision in which a client that finds its stream closed comes back for the rest.
constexpr std::string_view kResumes = "2025-11-25";

HttpResponse body(int status, std::string text) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(text);
  return response;
}

HttpResponse empty(int status) {
  HttpResponse response;
  response.status = status;
  response.content_type.clear();
  return response;
}

HttpResponse refusal(int status, const std::optional<jsonrpc::Id>& id, const ErrorObject& error) {
  return body(status, jsonrpc::error_text(id, error));
}

HttpResponse refusal(int status, const std::string& why, const std::optional<jsonrpc::Id>& id = std::nullopt) {
  return refusal(status, id, {jsonrpc::kInvalidRequest, "Invalid request: " + why, nullptr});
}

HttpResponse events(std::shared_ptr<EventSource> source) {
  HttpResponse response;
  response.content_type = kEventStream;
  response.events = std::move(source);
  return response;
}

/// Of an answer in the modern era; in the legacy one every answer is 200.
int modern_status(std::optional<int> error_code) {
  switch (error_code.value_or(0)) {
    case jsonrpc::kMethodNotFound:
      return 404;
    case jsonrpc::kInvalidRequest:
    case mcp::modern::kHeaderMismatch:
    case mcp::modern::kMissingClientCapability:
    case mcp::modern::kUnsupportedVersion:
      return 400;
    default:
      return 200;
  }
}

bool is_modern(const HttpRequest& http, const Json* params) {
  if (params != nullptr && mcp::modern::is_modern(*params)) return true;
  const std::string* version = http.header("mcp-protocol-version");
  return version != nullptr && mcp::is_modern_or_later(*version);
}

const Json* params_of(const jsonrpc::Incoming& message) {
  if (const auto* request = std::get_if<jsonrpc::Request>(&message)) return &request->params;
  if (const auto* notification = std::get_if<jsonrpc::Notification>(&message)) return &notification->params;
  return nullptr;
}

bool has_json(const HttpRequest& http) {
  const std::string* header = http.header("content-type");
  if (header == nullptr) return false;
  std::string type = to_lower(header->substr(0, header->find(';')));
  type.erase(type.find_last_not_of(" \t") + 1);
  return type == kJson;
}

class Endpoint final : public McpEndpoint {
 public:
  Endpoint(std::shared_ptr<const mcp::Server> server, const McpEndpointOptions& options)
      : server_(std::move(server)),
        options_(options),
        sessions_(server_, options.max_sessions, [] { return std::chrono::steady_clock::now(); }) {}

  HttpResponse handle(const HttpRequest& http, const std::function<bool()>& peer_gone) override {
    if (http.method == "POST") return post(http, peer_gone);
    const bool takes_others = !is_modern(http, nullptr);
    if (http.method == "GET" && takes_others) return get(http);
    if (http.method == "DELETE" && takes_others) return remove(http);
    HttpResponse response =
        refusal(405, takes_others ? "POST, GET and DELETE are served here." : "this revision knows POST alone.");
    response.headers.emplace_back("Allow", takes_others ? "POST, GET, DELETE" : "POST");
    return response;
  }

  void stop(std::chrono::milliseconds within) override {
    std::vector<std::shared_ptr<mcp::Connection>> alone;
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      for (const auto& one : alone_) alone.push_back(one);
    }
    // The time is that of all together.
    const auto until = std::chrono::steady_clock::now() + within;
    const auto left = [&] {
      const auto time = until - std::chrono::steady_clock::now();
      return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(time), std::chrono::milliseconds(0));
    };
    for (const auto& one : alone) one->finish(left());
    sessions_.finish_all(left());
  }

  size_t sessions() const override { return sessions_.count(); }

 private:
  HttpResponse post(const HttpRequest& http, const std::function<bool()>& peer_gone) {
    if (!has_json(http)) {
      return refusal(415, "the body must be application/json.");
    }
    if (!accepts(http, kJson) && !accepts(http, kEventStream)) {
      return refusal(406, "Accept must take application/json or text/event-stream.");
    }
    jsonrpc::Incoming message = jsonrpc::parse(http.body);
    if (const auto* refused = std::get_if<jsonrpc::Refusal>(&message)) return refusal(400, refused->id, refused->error);
    if (is_modern(http, params_of(message))) return modern(http, std::move(message), peer_gone);
    return legacy(http, std::move(message), peer_gone);
  }

  HttpResponse modern(const HttpRequest& http, jsonrpc::Incoming message, const std::function<bool()>& peer_gone) {
    auto* request = std::get_if<jsonrpc::Request>(&message);
    if (request == nullptr) return empty(202);  // nothing of this era is told by a POST of its own
    if (const auto bad = header_problem(http, *request)) return refusal(400, request->id, *bad);
    const bool listens = request->method == "subscriptions/listen";
    if (listens && !accepts(http, kEventStream)) return refusal(406, "Accept must take text/event-stream.");
    auto stream = std::make_shared<McpStream>(0, !accepts(http, kEventStream));
    auto connection = mcp::Connection::make(server_, nullptr);
    if (!keep(connection)) return refusal(503, "the server is stopping.");
    // The stream's end is the connection's: then it is let go.
    const auto over = [this, connection] {
      connection->abandon();
      forget(connection);
    };
    connection->handle(std::move(message), stream);
    HttpResponse response = respond(http, stream, {.on_gone = over}, peer_gone, over, modern_status);
    response.is_idle = listens;
    return response;
  }

  std::optional<ErrorObject> header_problem(const HttpRequest& http, const jsonrpc::Request& request) const {
    auto meta = mcp::modern::read_meta(request.params);
    const auto* bad_meta = std::get_if<ErrorObject>(&meta);
    // A version that is told twice and differently is no version at all, so that comes before whether it is known.
    const bool can_compare = bad_meta == nullptr || bad_meta->code == mcp::modern::kUnsupportedVersion;
    if (can_compare) {
      if (auto differs = header_mismatch(http, request, *server_->engine.registry())) return differs;
    }
    if (bad_meta != nullptr) return *bad_meta;
    return std::nullopt;
  }

  HttpResponse legacy(const HttpRequest& http, jsonrpc::Incoming message, const std::function<bool()>& peer_gone) {
    const std::string* version = http.header("mcp-protocol-version");
    if (version != nullptr && !mcp::is_legacy_revision(*version)) {
      return refusal(400, "MCP-Protocol-Version " + shorten(*version, 40) + " is not spoken here.");
    }
    auto* request = std::get_if<jsonrpc::Request>(&message);
    if (request != nullptr && request->method == "initialize") return initialize(std::move(message));
    HttpResponse refused;
    const auto session = session_of(http, refused, request != nullptr ? std::optional(request->id) : std::nullopt);
    if (session == nullptr) return refused;
    if (request == nullptr) {
      session->connection().handle(std::move(message), session->unasked());
      return empty(202);
    }
    const auto stream = session->new_stream(!accepts(http, kEventStream));
    session->connection().handle(std::move(message), stream);
    const bool resumes = version != nullptr && *version >= kResumes;
    McpStream::Reading reading;
    reading.may_resume = true;
    reading.tells_retry = resumes;
    if (resumes) reading.release_after = options_.release_after;
    return respond(
        http, stream, std::move(reading), peer_gone, [] {}, [](std::optional<int>) { return 200; });
  }

  HttpResponse initialize(jsonrpc::Incoming message) {
    auto [id, session] = sessions_.open();
    if (session == nullptr) return refusal(503, "there are as many sessions in use as there may be.");
    const auto stream = session->new_stream();
    session->connection().handle(std::move(message), stream);
    if (stream->error_code()) {
      sessions_.end(id);
      return body(400, stream->answer());
    }
    HttpResponse response = body(200, stream->answer());
    response.headers.emplace_back("Mcp-Session-Id", id);
    return response;
  }

  /// What a stream holds, as one body where that is possible and taken. `over` is called once nothing more will come
  /// of it, `status` is that of a body.
  template <class Over, class Status>
  HttpResponse respond(const HttpRequest& http, const std::shared_ptr<McpStream>& stream, McpStream::Reading reading,
                       const std::function<bool()>& peer_gone, Over over, Status status) {
    const bool takes_body = accepts(http, kJson), takes_events = accepts(http, kEventStream);
    auto came = stream->wait(options_.answer_at_once);
    while (!takes_events && !stream->finished()) {
      if (peer_gone()) {
        over();
        return empty(204);  // to nobody
      }
      came = stream->wait(kPeerLook);
    }
    if (takes_body && (came == McpStream::Came::answer || !takes_events)) {
      const auto error_code = stream->error_code();
      HttpResponse response = body(status(error_code), stream->answer());
      over();
      return response;
    }
    return events(std::make_shared<Following>(stream->read(std::move(reading)), over));
  }

  /// Calls `over` when the stream is closed, whoever ended it.
  class Following final : public EventSource {
   public:
    Following(std::shared_ptr<EventSource> inner, std::function<void()> over)
        : inner_(std::move(inner)), over_(std::move(over)) {}
    State next(std::string& out, std::chrono::milliseconds within) override { return inner_->next(out, within); }
    void closed(bool peer_gone) override {
      inner_->closed(peer_gone);
      over_();
    }

   private:
    const std::shared_ptr<EventSource> inner_;
    const std::function<void()> over_;
  };

  std::shared_ptr<McpSession> session_of(const HttpRequest& http, HttpResponse& refused,
                                         const std::optional<jsonrpc::Id>& asked_by = std::nullopt) {
    const std::string* id = http.header("mcp-session-id");
    if (id == nullptr) {
      refused = refusal(400, "Mcp-Session-Id is missing; initialize gives one.", asked_by);
      return nullptr;
    }
    auto session = sessions_.find(*id);
    if (session == nullptr) {
      refused = refusal(404, "the session is unknown or has ended; initialize opens a new one.", asked_by);
    }
    return session;
  }

  HttpResponse get(const HttpRequest& http) {
    if (!accepts(http, kEventStream)) return refusal(406, "Accept must take text/event-stream.");
    HttpResponse refused;
    const auto session = session_of(http, refused);
    if (session == nullptr) return refused;
    McpStream::Reading reading;
    reading.may_resume = true;
    const std::string* last = http.header("last-event-id");
    if (last == nullptr) {
      HttpResponse response = events(holding(session, session->unasked()->read(std::move(reading))));
      response.is_idle = true;
      return response;
    }
    const auto found = session->find(*last);
    if (!found) return refusal(404, "Last-Event-ID names no stream of this session (any more).");
    reading.after = found->second;
    HttpResponse response = events(holding(session, found->first->read(std::move(reading))));
    response.is_idle = found->first == session->unasked();
    return response;
  }

  /// A stream that is read keeps its session.
  static std::shared_ptr<EventSource> holding(std::shared_ptr<McpSession> session,
                                              std::shared_ptr<EventSource> source) {
    return std::make_shared<Following>(std::move(source), [session = std::move(session)] {});
  }

  HttpResponse remove(const HttpRequest& http) {
    HttpResponse refused;
    if (session_of(http, refused) == nullptr) return refused;
    sessions_.end(*http.header("mcp-session-id"));
    return empty(204);
  }

  /// False: the server stops.
  bool keep(const std::shared_ptr<mcp::Connection>& connection) {
    const std::lock_guard lock(mutex_);
    if (stopping_) return false;
    alone_.insert(connection);
    return true;
  }
  void forget(const std::shared_ptr<mcp::Connection>& connection) {
    const std::lock_guard lock(mutex_);
    alone_.erase(connection);
  }

  const std::shared_ptr<const mcp::Server> server_;
  const McpEndpointOptions options_;
  McpSessions sessions_;
  std::mutex mutex_;
  std::set<std::shared_ptr<mcp::Connection>> alone_;  // of modern requests in flight
  bool stopping_ = false;
};

}  // namespace

std::shared_ptr<McpEndpoint> McpEndpoint::make(std::shared_ptr<const mcp::Server> server,
                                               const McpEndpointOptions& options) {
  return std::make_shared<Endpoint>(std::move(server), options);
}

}  // namespace stepwise::http
