// One HTTP request and its answer, as the endpoints see them: no library's types, no sockets.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stepwise::http {

struct HttpRequest {
  std::string method, path;                    // without the query
  std::map<std::string, std::string> headers;  // names in lower case; of several with one name, joined by ", "
  std::string body;                            // whole, decoded from chunks, at most limits::kMaxMessageBytes

  /// nullptr: it was not sent. The name in lower case.
  const std::string* header(std::string_view name) const {
    const auto found = headers.find(std::string(name));
    return found == headers.end() ? nullptr : &found->second;
  }
};

/// The events of a Server-Sent-Events answer, pulled by the thread that writes them to the peer.
class EventSource {
 public:
  enum class State : uint8_t { open, ended };

  virtual ~EventSource() = default;
  /// Waits for events, at most that long, and appends their bytes ("id: ...\ndata: ...\n\n"); none came: appends
  /// nothing, and the server keeps the connection alive with a comment when it is time.
  virtual State next(std::string& out, std::chrono::milliseconds within) = 0;
  /// The server is about to stop: what is still to be said comes now, the end soon. After limits::kStopWaiters the
  /// stream is cut. Once, on the thread that pulls.
  virtual void stopping() {}
  /// Once, when nothing is pulled any more: the events ended (`peer_gone` false), or the peer went away or took
  /// nothing for too long.
  virtual void closed(bool peer_gone) = 0;
};

struct HttpResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // beside Content-Type, Content-Length, Cache-Control
  std::string content_type = "application/json";
  std::string body;                     // of 202 and 204: empty, without a type
  std::shared_ptr<EventSource> events;  // set: an event stream instead of the body
  bool is_idle = false;                 // the stream waits for what may never happen, rather than for an answer
};

/// Runs on a handler thread, may block for a while; `peer_gone()` tells whether there is anybody left to answer.
using HttpHandler = std::function<HttpResponse(const HttpRequest& request, const std::function<bool()>& peer_gone)>;

}  // namespace stepwise::http
