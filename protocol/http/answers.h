// The answers that the server gives by itself, and the headers that all answers have. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "protocol/http/exchange.h"
#include "protocol/http/request_head.h"

namespace stepwise::http {

/// {"error": says}
HttpResponse error_answer(int status, std::string_view says);
/// With Allow: `methods`.
HttpResponse wrong_method_answer(const std::string& methods);
/// 503 with Retry-After.
HttpResponse busy_answer(std::string_view says);
/// With WWW-Authenticate or Retry-After where the status wants them.
HttpResponse refusal_answer(const Refusal& why);
HttpResponse unknown_path_answer(const std::map<std::string, HttpHandler>& known);

/// What a page may send; whether it is one of those that may was settled by the guards.
HttpResponse preflight_answer();
/// Lets the page read the answer, if one asked. Its origin has passed the guards.
void add_cors(const HttpRequest& request, HttpResponse& response);
/// Not to be kept by anybody, nor taken for another type; an event stream not to be held back by a proxy.
void add_common_headers(HttpResponse& response);

}  // namespace stepwise::http
