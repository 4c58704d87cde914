// The HTTP server: connections, guards, limits; what is answered is the endpoints' business (exchange.h).
//
// Guards, before any endpoint sees a request: Host and Origin (loopback names, the bound address, what the operator
// allowed), the bearer token (not of /healthz), Content-Encoding (refused), bytes and number of headers, bytes of the
// body, time for either. A request costs no handler thread until it is there whole, an idle connection none at all.
// /healthz, /metrics and refusals have threads of their own, so they are answered while every handler is at work.
//
// Pages of allowed origins get the CORS headers that their browser asks for; endpoints need not know of it.
//
// Life: start (listens) -> stop (streams get their end, requests in flight their answers within limits::kStopWaiters;
// threads are joined). All functions from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/limits.h"
#include "protocol/http/exchange.h"
#include "protocol/http/tally.h"

namespace stepwise::http {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;       // 0: any that is free
  std::string token;  // of Authorization: Bearer; empty: none is asked for, which only loopback addresses may
  std::vector<std::string> allowed_hosts;  // more names by which the server may be called (behind a proxy)
  unsigned handler_threads = 64;
  // Event streams at once; past that 503. Each holds a thread beside those for requests. Idle ones may take no more
  // than three quarters, so that there is always room for answers.
  unsigned max_streams = 256;
  unsigned max_connections = 1024;  // past that a new one takes the place of the one that is waited for longest
  std::chrono::milliseconds finish_within = limits::kStopWaiters;  // at a stop, for requests in flight and streams
  std::shared_ptr<Tally> tally;                                    // counts; nullptr: one of the server's own
  const Clock* clock = nullptr;                                    // of deadlines; nullptr: the machine's
};

class HttpServer {
 public:
  /// Listens when it returns. Errors: usage `http.token` (an address that is not loopback without a token), io
  /// `http.bind`.
  static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options,
                                                   std::map<std::string, HttpHandler> by_path);
  virtual ~HttpServer() = default;

  virtual int port() const = 0;
  virtual HttpCounters counters() const = 0;
  virtual void stop() = 0;
};

}  // namespace stepwise::http
