#include "protocol/http/guards.h"

#include <string>

#include "tests/catch.h"

using namespace stepwise::http;

namespace {

const std::string kToken = "a-token-of-some-length";
const GuardRules kRules = guard_rules("127.0.0.1", {"Profiles.Example.com", "2001:db8::1"}, "");

bool host(std::string_view authority) { return is_allowed_host(authority, kRules.hosts); }
bool origin(std::string_view given) { return is_allowed_origin(given, kRules.hosts); }

HttpRequest request(std::map<std::string, std::string> headers, std::string path = "/rpc") {
  headers.try_emplace("host", "localhost");
  return {"POST", std::move(path), std::move(headers), ""};
}
int status(const HttpRequest& asked, const GuardRules& rules = kRules) {
  const auto refused = check_request(asked, rules);
  return refused ? refused->status : 200;
}

}  // namespace

TEST_CASE("the server answers to loopback names, its own address and what is allowed, at any port") {
  for (const char* yes : {"localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:7337", "[::1]", "[::1]:7337",
                          "profiles.example.com", "profiles.EXAMPLE.com:443", "[2001:db8::1]:80"}) {
    INFO(yes);
    CHECK(host(yes));
  }
  for (const char* no : {"", "evil.example.com", "evil.example.com:7337", "localhost.evil.com", "localhost@evil.com",
                         "localhost:", "localhost:80x", "localhost:80:80", "::1", "[::1", "[::1]x", "127.0.0.2",
                         "0.0.0.0", "example.com", "localhost, evil.com", "localhost."}) {
    INFO(no);
    CHECK_FALSE(host(no));
  }
  CHECK(is_allowed_host("[::2]:1", guard_rules("::2", {}, kToken).hosts));
}

TEST_CASE("pages of such hosts may ask, others not") {
  for (const char* yes :
       {"http://localhost", "https://localhost:3000", "http://[::1]:1", "https://profiles.example.com"}) {
    INFO(yes);
    CHECK(origin(yes));
  }
  for (const char* no :
       {"null", "", "localhost", "http://evil.example.com", "file://localhost", "http://localhost/",
        "http://localhost.evil.com", "HTTP://localhost", "http://a@localhost", "http://localhost, http://evil.com"}) {
    INFO(no);
    CHECK_FALSE(origin(no));
  }
}

TEST_CASE("a token is asked for everywhere but at /healthz, and of preflights not") {
  const GuardRules rules = guard_rules("127.0.0.1", {}, kToken);
  CHECK(status(request({{"authorization", "Bearer " + kToken}}), rules) == 200);
  CHECK(status(request({{"authorization", "bearer  " + kToken}}), rules) == 200);
  for (const std::string& wrong :
       {std::string("Bearer "), "Bearer " + kToken + "x", "Bearer x" + kToken.substr(1), "Bearer " + kToken.substr(1),
        "Bearer " + kToken + kToken, "Basic " + kToken, kToken, "Bearer " + kToken + ", Bearer " + kToken}) {
    INFO(wrong);
    CHECK(status(request({{"authorization", wrong}}), rules) == 401);
  }
  CHECK(status(request({}), rules) == 401);
  CHECK(status(request({}, "/metrics"), rules) == 401);
  CHECK(status(request({}, "/healthz"), rules) == 200);
  CHECK(status(request({}, "/healthz/"), rules) == 401);
  CHECK(status(request({}), kRules) == 200);

  HttpRequest preflight = request({{"origin", "http://localhost"}, {"access-control-request-method", "POST"}});
  preflight.method = "OPTIONS";
  CHECK(status(preflight, rules) == 200);
  preflight.headers["origin"] = "http://evil.example.com";
  CHECK(status(preflight, rules) == 403);
  preflight.headers.erase("origin");
  CHECK(status(preflight, rules) == 401);
}

TEST_CASE("an empty token is never a right one") { CHECK_FALSE(is_right_token("Bearer ", "")); }

TEST_CASE("DNS rebinding is refused by the name, a foreign page by its origin, also where no token is asked for") {
  CHECK(status(request({{"host", "evil.example.com"}})) == 403);
  CHECK(status(request({{"origin", "http://evil.example.com"}})) == 403);
  CHECK(status(request({{"origin", "null"}})) == 403);
  CHECK(status(request({{"origin", "http://localhost:3000"}})) == 200);
  CHECK(status(request({{"host", "evil.example.com"}}, "/healthz")) == 403);
}

TEST_CASE("what only this machine can reach is told from the rest") {
  for (const char* yes : {"127.0.0.1", "127.1.2.3", "::1", "localhost", "LocalHost"}) CHECK(is_loopback(yes));
  for (const char* no : {"0.0.0.0", "::", "192.168.0.1", "example.com", "", "128.0.0.1", "127.0.0.1.example.com"}) {
    INFO(no);
    CHECK_FALSE(is_loopback(no));
  }
}
