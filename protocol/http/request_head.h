// The head of a request: the request line and the headers, as strict as it can be. What two programs could read in two
// ways is refused, since a proxy in front of us may be the other one. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/http/exchange.h"

namespace stepwise::http {

/// Why a request is not served. `says` is our own words: nothing of the request is repeated.
struct Refusal {
  int status = 400;
  const char* guard = "syntax";  // a key of HttpCounters::refused_by
  std::string says;
};

struct RequestHead {
  HttpRequest request;          // without its body
  bool is_http_1_0 = false;     // else 1.1
  bool keep_alive = true;       // the peer would like to send more on this connection
  bool is_chunked = false;      // the body comes in chunks
  uint64_t content_length = 0;  // of a body that does not
  bool expects_continue = false;
};

/// `head`: all lines with their CR LF, without the empty one. Refuses with
///   400 what is no HTTP/1.0 or 1.1, bare CR, LF or NUL, folded lines, no or several Host, a body's length told twice
///   413 a body over limits::kMaxMessageBytes    414 a target over kMaxTargetBytes    415 any Content-Encoding
///   417 any Expect but 100-continue (of HTTP/1.0, which has none, it is passed over)
///   431 over kMaxHeaderLines    501 methods and transfer encodings that nobody here knows
std::variant<RequestHead, Refusal> parse_request_head(std::string_view head);

}  // namespace stepwise::http
