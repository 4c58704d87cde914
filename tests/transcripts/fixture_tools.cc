#include "tests/transcripts/fixture_tools.h"

#include <chrono>

#include "core/engine/manifest.h"

namespace stepwise::transcripts {
namespace {

Json key_schema(const char* key) {
  return {{"type", "object"},
          {"required", {key}},
          {"additionalProperties", false},
          {"properties", {{key, {{"type", "string"}, {"description", "Which one."}}}}}};
}

Json declarations() {
  Json echo_input = key_schema("text");
  echo_input["properties"]["times"] = {{"type", "integer"}, {"minimum", 1}, {"maximum", 9}, {"default", 1}};
  const Json nothing = {{"type", "object"}, {"additionalProperties", false}};
  const auto tool = [](const char* name, const char* says, const Json& input, const char* per = "none") {
    return Json{{"name", name}, {"description", says}, {"exposure", "core"},
                {"per", per},   {"input", input},      {"output", {{"type", "object"}}}};
  };
  Json tools = {tool("echo", "Says the text.", echo_input),
                tool("hold", "Waits until it is released.", key_schema("key")),
                tool("release", "Lets a held call go on.", key_schema("key")), tool("fail_always", "Fails.", nothing),
                tool("read_profile", "Needs a profile.", nothing, "profile")};
  tools[0]["output"]["required"] = {"said"};
  tools[3]["exposure"] = "extra";
  return tools;
}

engine::ToolResult said(const Json& body) {
  engine::ToolResult result;
  result.body = body;
  return result;
}

}  // namespace

std::vector<engine::ToolDecl> FixtureTools::tools() const {
  std::vector<engine::ToolDecl> decls;
  for (const Json& tool : declarations()) decls.push_back(engine::tool_from_json(tool, "").value());
  return decls;
}

Result<engine::ToolResult> FixtureTools::call(const std::string& tool, const Json& arguments, engine::CallHost& host) {
  if (tool == "echo") {
    std::string text;
    for (int i = 0; i < arguments["times"].get<int>(); ++i) text += arguments["text"].get<std::string>();
    return said({{"said", text}});
  }
  if (tool == "hold") return hold(arguments["key"].get<std::string>(), host);
  if (tool == "release") {
    release(arguments["key"].get<std::string>());
    return said({{"released", arguments["key"]}});
  }
  if (tool == "read_profile") return said({{"read", true}});
  return Error{ErrorKind::bad_data, "fixture.failed", "This tool fails always.", "Call another one.", "/nowhere"};
}

Result<engine::ToolResult> FixtureTools::hold(const std::string& key, engine::CallHost& host) {
  host.progress().set(1, 2, "holding");
  std::unique_lock lock(mutex_);
  while (!released_.contains(key)) {
    if (host.cancel().is_set())
      return Error{ErrorKind::cancelled, "fixture.cancelled", "The call was cancelled.", "", ""};
    changed_.wait_for(lock, std::chrono::milliseconds(5));  // the flag has no way to wake anybody
  }
  return said({{"held", key}});
}

void FixtureTools::release(const std::string& key) {
  std::lock_guard lock(mutex_);
  released_.insert(key);
  changed_.notify_all();
}

}  // namespace stepwise::transcripts
