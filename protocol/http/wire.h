// cpp-httplib's part: the socket that listens, and answers as bytes of HTTP/1.1. The only file that knows the library.
//
// Requests are not read by it. Its parser decodes %0d%0a inside headers, mixes the client's REMOTE_ADDR with its own
// header of that name, takes any number of headers and unpacks compressed bodies without a limit; so the reader beside
// this file decides what a request is, and the library is shown an empty one with the method alone.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "protocol/http/event_pump.h"
#include "protocol/http/exchange.h"
#include "protocol/http/socket.h"

namespace stepwise::http {

class Wire {
 public:
  struct AnswerTo {
    std::string method;
    bool closes = false;       // the connection ends after the answer
    bool is_http_1_0 = false;  // knows no chunks: a stream ends with the connection
  };

  /// A socket that listens at that address; port 0: any. Errors: io `http.bind`.
  static Result<std::unique_ptr<Wire>> bind(const std::string& host, int port);
  virtual ~Wire() = default;

  virtual int listener_fd() const = 0;  // does not block
  virtual int port() const = 0;
  /// No more connections are taken; what was begun may still be answered.
  virtual void stop_listening() = 0;
  /// Writes the answer; `pump`, where given, writes its body. False: the peer has not got it whole. [any thread]
  virtual bool answer(Socket& socket, const AnswerTo& to, const HttpResponse& response, EventPump* pump) = 0;
};

}  // namespace stepwise::http
