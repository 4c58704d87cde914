#include "protocol/mcp/tool_list.h"

#include "protocol/mcp/fake_engine.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;

namespace {

Json listed(std::vector<engine::ToolDecl> tools, bool all = true) {
  return tool_list(*FakeEngine(std::move(tools)).registry(), all)["tools"];
}

}  // namespace

TEST_CASE("core tools are listed by default, all on request, always by name") {
  const std::vector<engine::ToolDecl> tools = {declared_tool("zebra"), declared_tool("middle", false),
                                               declared_tool("alpha")};
  const Json core = listed(tools, false);
  REQUIRE(core.size() == 2);
  CHECK(core[0]["name"] == "alpha");
  CHECK(core[1]["name"] == "zebra");
  const Json all = listed(tools, true);
  REQUIRE(all.size() == 3);
  CHECK(all[1]["name"] == "middle");
}

TEST_CASE("a tool is listed with its schema untouched and all four hints") {
  auto decl = declared_tool("echo");
  decl.annotations = {{"readOnlyHint", true}, {"destructiveHint", false}};
  const Json tool = listed({decl})[0];
  CHECK(tool["title"] == "A title");
  CHECK(tool["description"] == "A description.");
  CHECK(tool["inputSchema"] == decl.input);
  CHECK(tool["annotations"] ==
        Json{{"readOnlyHint", true}, {"destructiveHint", false}, {"idempotentHint", false}, {"openWorldHint", true}});
}

TEST_CASE("a tool without a title has none") {
  auto decl = declared_tool("echo");
  decl.title.clear();
  CHECK_FALSE(listed({decl})[0].contains("title"));
}

TEST_CASE("the output schema names the tool's keys and requires only what every answer has") {
  auto decl = declared_tool("echo");
  decl.output = {{"type", "object"}, {"required", {"status", "tree"}}};
  CHECK(listed({decl})[0]["outputSchema"] ==
        Json{{"type", "object"},
             {"required", {"status"}},
             {"properties", {{"status", {{"type", "string"}}}, {"tree", Json::object()}}}});
  decl.output = {{"type", "object"}};
  CHECK(listed({decl})[0]["outputSchema"]["required"] == Json{"status"});
}

TEST_CASE("the output schema stays within 400 characters, whatever the tool promises") {
  auto decl = declared_tool("echo");
  Json required = Json::array();
  for (int key = 0; key < 100; ++key) required.push_back("a_rather_long_key_" + std::to_string(key));
  decl.output = {{"type", "object"}, {"required", required}};
  const Json schema = listed({decl})[0]["outputSchema"];
  CHECK(dump_json(schema).size() <= 400);
  CHECK(schema["properties"].size() > 5);
}
