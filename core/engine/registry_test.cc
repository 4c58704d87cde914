#include "core/engine/registry.h"

#include "core/engine/manifest.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;

namespace {

std::shared_ptr<const PluginInfo> plugin(const char* id,
                                         std::vector<std::pair<const char*, std::vector<std::string>>> tools) {
  auto info = std::make_shared<PluginInfo>();
  info->id = id;
  for (auto& [name, calls] : tools) {
    ToolDecl decl;
    decl.name = name;
    decl.calls = calls;
    decl.plugin = id;
    decl.input = {{"type", "object"}};
    info->tools.push_back(decl);
  }
  return info;
}

std::string refusal(std::vector<std::shared_ptr<const PluginInfo>> plugins) {
  const auto made = Registry::make({}, plugins);
  return made.ok() ? "" : made.error().code;
}

}  // namespace

TEST_CASE("a name that two plugins claim is refused, not prefixed") {
  CHECK(refusal({plugin("one", {{"same_name", {}}}), plugin("two", {{"same_name", {}}})}) == "registry.name_taken");
}

TEST_CASE("calls in a circle, to itself, or to nowhere are refused at load") {
  CHECK(refusal({plugin("one", {{"aaa", {"bbb"}}, {"bbb", {"ccc"}}, {"ccc", {"aaa"}}})}) == "registry.calls");
  CHECK(refusal({plugin("one", {{"aaa", {"aaa"}}})}) == "registry.calls");
  CHECK(refusal({plugin("one", {{"aaa", {"bbb"}}})}) == "registry.calls");
  CHECK(refusal({plugin("one", {{"aaa", {"bbb", "ccc"}}, {"bbb", {"ccc"}}, {"ccc", {}}})}) == "");  // a diamond is none
}

TEST_CASE("plugins' names are 3 to 28 of a-z and _") {
  CHECK(refusal({plugin("one", {{"ok_name", {}}})}) == "");
  CHECK(refusal({plugin("one", {{"ab", {}}})}) == "registry.name");
  CHECK(refusal({plugin("one", {{"Upper", {}}})}) == "registry.name");
  CHECK(refusal({plugin("one", {{"abcdefghijklmnopqrstuvwxyzabc", {}}})}) == "registry.name");
}

TEST_CASE("tools are listed by name, whoever came first") {
  const auto made = Registry::make({}, {plugin("one", {{"zzz", {}}}), plugin("two", {{"aaa", {}}})});
  REQUIRE(made.ok());
  CHECK(made.value()->tools().begin()->first == "aaa");
  CHECK(made.value()->nearest("aab") == std::vector<std::string>{"aaa"});
}

TEST_CASE("a tool declaration gets the host's own arguments, and its references resolved") {
  const auto tool =
      tool_from_json({{"name", "top_things"},
                      {"description", "Things."},
                      {"default_limit", 7},
                      {"input", {{"type", "object"}, {"properties", {{"step", {{"$ref", "#/common/step"}}}}}}},
                      {"output", {{"type", "object"}}},
                      {"view", {{"columns", {"a"}}}}},
                     "one");
  REQUIRE(tool.ok());
  const Json& properties = tool.value().input["properties"];
  CHECK(properties["step"]["type"] == "integer");
  for (const char* name : {"profile", "rank", "limit", "cursor"}) CHECK(properties.contains(name));
  CHECK(tool.value().input["additionalProperties"] == false);
  CHECK(tool.value().default_limit == 7);
}

TEST_CASE("a use says of which ranks and in which kinds of profiles a table is looked for") {
  const Json base = {{"name", "top_things"},
                     {"description", "Things."},
                     {"input", {{"type", "object"}}},
                     {"output", {{"type", "object"}}}};
  Json given = base;
  given["uses"] = {"kernel", {{"table", "comm_op"}, {"costs", "much"}, {"ranks", "all"}, {"profiles", {"torch_npu"}}}};
  const auto tool = tool_from_json(given, "one");
  REQUIRE(tool.ok());
  const ToolUse &kernel = tool.value().uses.at(0), &comm_op = tool.value().uses.at(1);
  CHECK_FALSE(kernel.of_all_ranks);
  CHECK(kernel.applies_to("kineto"));
  CHECK(comm_op.of_all_ranks);
  CHECK(comm_op.applies_to("torch_npu"));
  CHECK_FALSE(comm_op.applies_to("kineto"));
  given["uses"] = {{{"table", "comm_op"}, {"ranks", "some"}}};
  CHECK_FALSE(tool_from_json(given, "one").ok());
}

TEST_CASE("a declaration with an unknown part or reference is refused") {
  const Json base = {{"name", "top_things"},
                     {"description", "Things."},
                     {"input", {{"type", "object"}}},
                     {"output", {{"type", "object"}}}};
  REQUIRE(tool_from_json(base, "one").ok());
  Json extra = base;
  extra["need"] = Json::array();
  CHECK_FALSE(tool_from_json(extra, "one").ok());
  Json dangling = base;
  dangling["input"]["properties"]["x"]["$ref"] = "#/common/nothing";
  CHECK_FALSE(tool_from_json(dangling, "one").ok());
}

TEST_CASE("a plugin whose schema claims to give advice is refused, however deep the claim stands") {
  const auto with_output = [](Json output) {
    auto info = std::make_shared<PluginInfo>(*plugin("one", {{"ok_name", {}}}));
    info->tools.front().output = std::move(output);
    return std::shared_ptr<const PluginInfo>(info);
  };
  const Json advice = {{"type", "array"}, {"x-role", "advice"}}, data = {{"type", "array"}, {"x-role", "data"}};
  CHECK(refusal({with_output({{"type", "object"}, {"properties", {{"rows", data}}}})}) == "");
  CHECK(refusal({with_output({{"type", "object"}, {"properties", {{"rows", advice}}}})}) == "registry.advice");
  CHECK(refusal(
            {with_output({{"type", "object"}, {"properties", {{"rows", {{"type", "array"}, {"items", advice}}}}}})}) ==
        "registry.advice");
}

TEST_CASE("tools that may be called if they are there are called only then") {
  auto info = std::make_shared<PluginInfo>(*plugin("one", {{"aaa", {}}, {"bbb", {}}}));
  info->tools.front().calls_if_there = {"bbb", "not_there"};
  const auto made = Registry::make({}, {info});
  REQUIRE(made.ok());
  CHECK(made.value()->find("aaa")->decl.calls == std::vector<std::string>{"bbb"});
}
