// A connection whose peer is the test.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "protocol/mcp/connection.h"
#include "protocol/mcp/fake_catalog_test.h"
#include "protocol/mcp/fake_engine.h"
#include "protocol/mcp/modern.h"
#include "protocol/mcp/recording_outlet_test.h"

namespace stepwise::mcp {

struct ConnectionFixture {
  FakeEngine engine;
  std::shared_ptr<Server> server = std::make_shared<Server>(Server{engine});
  std::shared_ptr<RecordingOutlet> outlet = std::make_shared<RecordingOutlet>();
  std::shared_ptr<RecordingOutlet> unasked = std::make_shared<RecordingOutlet>();
  std::shared_ptr<Connection> connection;

  ConnectionFixture() {
    server->catalogs = {std::make_shared<FakeCatalog>()};
    server->lists_change = server->resources_change = true;
    connection = Connection::make(server, unasked);
  }

  void send(const Json& message) { connection->handle(jsonrpc::parse(dump_json(message)), outlet); }
  void request(const Json& id, const std::string& method, Json params) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  }
  Json ask(const std::string& method, Json params = Json::object()) {
    request(1, method, std::move(params));
    return outlet->next();
  }

  static Json meta(Json capabilities = Json::object()) {
    return {{modern::meta_key("protocolVersion"), "2026-07-28"},
            {modern::meta_key("clientCapabilities"), std::move(capabilities)}};
  }
  Json ask_modern(const std::string& method, Json params = Json::object()) {
    if (!params.contains("_meta")) params["_meta"] = meta();
    return ask(method, std::move(params));
  }
  void initialize(Json capabilities = Json::object()) {
    ask("initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", std::move(capabilities)}});
  }
  void answer_with(engine::WaiterId waiter, engine::ClientAsk questions) const {
    engine::Answer answer;
    answer.ask = std::move(questions);
    engine.submitted(waiter).sink->done(std::move(answer));
  }
};

}  // namespace stepwise::mcp
