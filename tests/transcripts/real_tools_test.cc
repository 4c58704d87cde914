// The list of the real tools, as a client gets it (what it may cost is asserted through the SDK's client).
#include <set>
#include <string>

#include "core/engine/engine.h"
#include "protocol/mcp/tool_list.h"
#include "tests/catch.h"
#include "tests/transcripts/mcp_shapes.h"
#include "tests/transcripts/temporary_directory.h"

using namespace stepwise;

namespace {

engine::EngineOptions real_options(const transcripts::TemporaryDirectory& cache) {
  engine::EngineOptions options;
  options.cache_root = cache.path;
  options.plugin_dirs = {"plugins"};  // the manifests in the source tree: nothing is loaded for a list
  options.knowledge_dirs = {"skills/knowledge"};
  options.rule_dirs = {"skills"};
  return options;
}

Json real_tools() {
  const transcripts::TemporaryDirectory cache;
  const auto engine = engine::Engine::start(real_options(cache)).value();
  Json list = mcp::tool_list(*engine->registry(), true);
  engine->stop();
  return list;
}

}  // namespace

TEST_CASE("the real list has the protocol's shape, whole names and the same bytes each time") {
  const Json list = real_tools();
  CHECK(transcripts::mcp_shape_error({{"jsonrpc", "2.0"}, {"id", 1}, {"result", list}}, "tools/list") == "");
  CHECK(dump_json(list) == dump_json(real_tools()));
  std::set<std::string> names;
  for (const Json& tool : list["tools"]) names.insert(tool["name"].get<std::string>());
  CHECK(names.size() == list["tools"].size());
  for (const char* name : {"open_profile", "list_analyses", "summarize_profile", "top_operators"}) {
    CHECK(names.count(name) == 1);
  }
}

TEST_CASE("no tool but those of the gate gives advice") {
  const transcripts::TemporaryDirectory cache;
  const auto engine = engine::Engine::start(real_options(cache)).value();
  std::set<std::string> giving;
  for (const auto& [name, tool] : engine->registry()->tools()) {
    if (dump_json(tool.decl.output).find(R"("x-role":"advice")") != std::string::npos) giving.insert(name);
  }
  CHECK(giving == std::set<std::string>{"advise"});
  engine->stop();
}
