// Every transcript under tests/transcripts/mcp against the real engine with the fixture tools, through every transport.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include "core/engine/engine.h"
#include "protocol/mcp/serve.h"
#include "tests/catch.h"
#include "tests/transcripts/fixture_tools.h"
#include "tests/transcripts/mcp_shapes.h"
#include "tests/transcripts/replay.h"
#include "tests/transcripts/temporary_directory.h"

using namespace stepwise;
using namespace stepwise::transcripts;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> transcript_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator("tests/transcripts/mcp")) {
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Each message that came has the shape of the protocol's answer to the request whose id it carries.
void check_shapes(const Exchange& exchange) {
  std::map<std::string, std::string> method_of_id;
  for (const std::string& text : exchange.sent) {
    const auto message = parse_json(text);
    if (!message.ok() || !message.value().is_object() || !message.value().contains("id")) continue;
    const Json method = message.value().value("method", Json());
    if (method.is_string()) method_of_id.emplace(dump_json(message.value()["id"]), method.get<std::string>());
  }
  for (const std::string& text : exchange.received) {
    INFO(text);
    const auto message = parse_json(text);
    REQUIRE(message.ok());
    CHECK(mcp_shape_error(message.value(), method_of_id[dump_json(message.value().value("id", Json()))]) == "");
  }
}

}  // namespace

TEST_CASE("MCP transcripts hold over every transport") {
  const auto files = transcript_files();
  REQUIRE(files.size() >= 10);
  const TemporaryDirectory cache;
  for (const auto& file : files) {
    const auto transcript = read_transcript(file);
    if (!transcript.ok()) FAIL(to_text(transcript.error()));
    for (const auto& kind : transport_kinds()) {
      INFO(file.string() << " over " << kind.name);
      engine::EngineOptions options;
      options.cache_root = cache.path;
      options.call_slots = 4;  // more than a transcript holds at once: release must find one
      options.running_after = std::chrono::minutes(1);
      options.providers = {std::make_shared<FixtureTools>()};
      const auto engine = engine::Engine::start(options).value();
      const auto client = kind.connect();
      const Exchange exchange = replay(transcript.value(), *client, [&](transport::Transport& server_end) {
        // At the end, too, no answer is given up because the machine is busy.
        const mcp::ServeOptions patient{.finish_within = std::chrono::minutes(1),
                                        .drain_within = std::chrono::minutes(1)};
        static_cast<void>(mcp::serve(std::make_shared<const mcp::Server>(mcp::Server{*engine}), server_end, patient));
      });
      CHECK(exchange.failure == "");
      check_shapes(exchange);
      engine->stop();
    }
  }
}
