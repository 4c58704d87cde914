// GET /healthz: {"status":"ok"}, without a token, for those who restart what does not answer. [any thread]
#pragma once

#include "protocol/http/exchange.h"

namespace stepwise::http {

HttpHandler health_endpoint();

}  // namespace stepwise::http
