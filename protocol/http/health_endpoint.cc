#include "protocol/http/health_endpoint.h"

#include "protocol/http/answers.h"

namespace stepwise::http {

HttpHandler health_endpoint() {
  return [](const HttpRequest& request, const std::function<bool()>&) {
    if (request.method != "GET" && request.method != "HEAD") return wrong_method_answer("GET, HEAD");
    HttpResponse response;
    response.body = "{\"status\":\"ok\"}\n";
    return response;
  };
}

}  // namespace stepwise::http
