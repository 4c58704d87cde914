#include "protocol/http/metrics_endpoint.h"

#include <re2/re2.h>

#include <map>
#include <set>
#include <sstream>

#include "protocol/http/health_endpoint.h"
#include "protocol/http/prometheus.h"
#include "protocol/mcp/fake_engine.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

/// Metrics by name with labels, as the format's grammar has them; fails the test on a line that it does not allow.
struct Scraped {
  std::map<std::string, double> samples;
  std::map<std::string, std::string> types, helps;

  explicit Scraped(const std::string& text) {
    static const re2::RE2 sample(R"re(([a-zA-Z_:][\w:]*)(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"\})? (\S+))re");
    static const re2::RE2 note(R"(# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+))");
    REQUIRE((text.empty() || text.back() == '\n'));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      std::string kind, name, rest, labels;
      if (re2::RE2::FullMatch(line, note, &kind, &name, &rest)) {
        REQUIRE((kind == "HELP" ? helps : types).emplace(name, rest).second);  // once, before its samples
        continue;
      }
      REQUIRE(re2::RE2::FullMatch(line, sample, &name, &labels, &rest));
      REQUIRE(types.count(name) == 1);
      REQUIRE(helps.count(name) == 1);
      size_t used = 0;
      REQUIRE(samples.emplace(name + labels, std::stod(rest, &used)).second);
      REQUIRE(used == rest.size());
    }
  }
};

HttpRequest get_request() { return {"GET", "/metrics", {}, ""}; }
bool stays() { return false; }

}  // namespace

TEST_CASE("metrics of process, HTTP and engine have the types that they are") {
  mcp::FakeEngine engine;
  const auto tally = std::make_shared<Tally>();
  tally->change([](HttpCounters& counters) {
    counters.connections = 7;
    counters.open_streams = 2;
    counters.answers = {{200, 5}, {403, 1}};
    counters.refused_by = {{"host", 1}};
  });
  const auto mcp = McpEndpoint::make(std::make_shared<const mcp::Server>(mcp::Server{engine}));
  const HttpResponse response = metrics_endpoint(engine, tally, mcp)(get_request(), stays);
  CHECK(response.status == 200);
  CHECK(response.content_type == "text/plain; version=0.0.4; charset=utf-8");
  const Scraped scraped(response.body);
  CHECK(scraped.samples.at("stepwise_http_connections_total") == 7);
  CHECK(scraped.samples.at("stepwise_http_open_streams") == 2);
  CHECK(scraped.samples.at("stepwise_http_answers_total{status=\"200\"}") == 5);
  CHECK(scraped.samples.at("stepwise_http_answers_total{status=\"403\"}") == 1);
  CHECK(scraped.samples.at("stepwise_http_refused_total{guard=\"host\"}") == 1);
  CHECK(scraped.samples.at("stepwise_mcp_sessions") == 0);
  CHECK(scraped.samples.at("stepwise_engine_executions_total") == 0);
  CHECK(scraped.samples.at("process_resident_memory_bytes") > 1e6);
  CHECK(scraped.samples.at("process_threads") >= 1);
  CHECK(scraped.samples.at("process_open_fds") >= 3);
  CHECK(scraped.samples.at("process_start_time_seconds") > 1.6e9);
  for (const auto& [name, type] : scraped.types) {
    INFO(name);
    CHECK(type == (name.ends_with("_total") ? "counter" : "gauge"));
  }
}

TEST_CASE("a label's value cannot end its line") {
  PrometheusText text;
  text.begin_counters("a_total", "A.");
  text.sample("b", "c\"\\\nd", 1);
  CHECK(text.take().ends_with("a_total{b=\"c\\\"\\\\\\nd\"} 1\n"));
}

TEST_CASE("figures are only read") {
  mcp::FakeEngine engine;
  HttpRequest request = get_request();
  request.method = "POST";
  CHECK(metrics_endpoint(engine, std::make_shared<Tally>())(request, stays).status == 405);
  CHECK(health_endpoint()(request, stays).status == 405);
  CHECK(health_endpoint()(get_request(), stays).body == "{\"status\":\"ok\"}\n");
}
