#include "protocol/http/answers.h"

#include "core/base/json.h"
#include "protocol/http/limits.h"

namespace stepwise::http {
namespace {

// "*" covers any header but Authorization, which must be named.
constexpr const char* kPageMaySend = "Authorization, *";
constexpr const char* kPageMayRead = "Mcp-Session-Id, WWW-Authenticate, Retry-After";
constexpr const char* kPreflightSeconds = "600";

}  // namespace

HttpResponse error_answer(int status, std::string_view says) {
  HttpResponse response;
  response.status = status;
  response.body = dump_json({{"error", says}}) + "\n";
  return response;
}

HttpResponse wrong_method_answer(const std::string& methods) {
  HttpResponse response = error_answer(405, "This path knows only " + methods + ".");
  response.headers.emplace_back("Allow", methods);
  return response;
}

HttpResponse busy_answer(std::string_view says) { return refusal_answer({503, "full", std::string(says)}); }

HttpResponse refusal_answer(const Refusal& why) {
  HttpResponse response = error_answer(why.status, why.says);
  if (why.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (why.status == 503) response.headers.emplace_back("Retry-After", std::to_string(kRetryAfterSeconds));
  return response;
}

HttpResponse unknown_path_answer(const std::map<std::string, HttpHandler>& known) {
  std::string says = "There is nothing at this path; there are:";
  for (const auto& [path, handler] : known) says += " " + path;
  return error_answer(404, says);
}

HttpResponse preflight_answer() {
  HttpResponse response;
  response.status = 204;
  response.headers = {{"Access-Control-Allow-Methods", "GET, POST, DELETE"},
                      {"Access-Control-Allow-Headers", kPageMaySend},
                      {"Access-Control-Max-Age", kPreflightSeconds}};
  return response;
}

void add_cors(const HttpRequest& request, HttpResponse& response) {
  const std::string* origin = request.header("origin");
  if (origin == nullptr) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", *origin);
  response.headers.emplace_back("Access-Control-Expose-Headers", kPageMayRead);
  response.headers.emplace_back("Vary", "Origin");
}

void add_common_headers(HttpResponse& response) {
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (response.events == nullptr) {
    response.headers.emplace_back("Cache-Control", "no-store");
    return;
  }
  response.content_type = "text/event-stream";
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.headers.emplace_back("X-Accel-Buffering", "no");
}

}  // namespace stepwise::http
