#include "tests/conformance/fixture_tools.h"

#include <thread>
#include <utility>

#include "tests/conformance/asking_tools.h"
#include "tests/conformance/content.h"
#include "tests/conformance/fixture_catalog.h"

namespace stepwise::conformance {
namespace {

using namespace std::chrono_literals;
using engine::CallHost;
using engine::ToolResult;

// The engine looks at a call's progress every 250 ms; what is to be seen must stand longer.
constexpr auto kBetweenProgress = 300ms;
constexpr auto kBetweenLogs = 50ms;
// Two clocks that run side by side: as far apart as a busy machine may hold one of them up. The suite waits 5 s.
constexpr auto kAcrossReconnection = kStreamReleasedAfter + 2s;

/// False: the call was cancelled meanwhile.
bool wait(const CallHost& host, std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!host.cancel().is_set() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(5ms);
  return !host.cancel().is_set();
}

Error cancelled() { return {ErrorKind::cancelled, "fixture.cancelled", "The call was cancelled.", "", ""}; }

Result<ToolResult> with_progress(CallHost& host) {
  for (const uint64_t done : {0, 50, 100}) {
    host.progress().set(done, 100, "testing");
    if (!wait(host, kBetweenProgress)) return cancelled();
  }
  return said("Three steps are done.");
}

Result<ToolResult> with_logging(CallHost& host) {
  for (const char* message : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    host.log({engine::LogLevel::info, "conformance", message});
    if (!wait(host, kBetweenLogs)) return cancelled();
  }
  return said("Three messages are logged.");
}

Result<ToolResult> across_reconnection(CallHost& host) {
  if (!wait(host, kAcrossReconnection)) return cancelled();
  return said("The answer came after the stream was closed.");
}

ToolResult mixed_content() {
  return made_of(
      {text_block("Multiple content types test:"), picture_block(),
       resource_block("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})")});
}

/// Takes these texts, all required.
Json object_schema(const std::vector<const char*>& names) {
  Json schema = {{"type", "object"}, {"additionalProperties", false}};
  for (const char* name : names) {
    schema["properties"][name] = {{"type", "string"}};
    schema["required"].push_back(name);
  }
  return schema;
}

Json schema_with_header() {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}}}}};
}

/// Keywords that the host's own check does not know: they must come through tools/list untouched.
Json schema_of_2020_12() {
  return parse_json(R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
      "address": {
        "$anchor": "addressDef",
        "type": "object",
        "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
      }
    },
    "properties": {
      "name": {"type": "string"},
      "address": {"$ref": "#/$defs/address"},
      "contactMethod": {"type": "string", "enum": ["phone", "email"]},
      "phone": {"type": "string"},
      "email": {"type": "string"}
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false
  })")
      .value();
}

/// The tools that answer by themselves.
struct PlainTool {
  const char* name;
  const char* description;
  Json input;
};

const std::vector<PlainTool>& plain_tools() {
  static const Json nothing = object_schema({});
  static const std::vector<PlainTool> tools = {
      {"test_simple_text", "Gives a text.", nothing},
      {"test_image_content", "Gives a picture.", nothing},
      {"test_audio_content", "Gives a sound.", nothing},
      {"test_embedded_resource", "Gives a resource.", nothing},
      {"test_multiple_content_types", "Gives a text, a picture and a resource.", nothing},
      {"test_tool_with_logging", "Logs three messages.", nothing},
      {"test_logging_tool", "Logs three messages.", nothing},
      {"test_tool_with_progress", "Tells its progress three times.", nothing},
      {"test_error_handling", "Fails.", nothing},
      {"test_reconnection", "Takes longer than its stream stays open.", nothing},
      {"test_x_mcp_header", "Has an argument that is a header too.", schema_with_header()},
      {"json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", schema_of_2020_12()},
      {"test_trigger_tool_change", "Tells that the list of tools has changed.", nothing},
      {"test_trigger_prompt_change", "Tells that the list of prompts has changed.", nothing},
      {"test_trigger_resource_change", "Tells that the watched resource has changed.", nothing},
      {"test_wait_for_cancel", "Ends when it is cancelled.", nothing},
      {"test_cancelled_calls", "Says how many calls of test_wait_for_cancel were cancelled.", nothing},
  };
  return tools;
}

engine::ToolDecl declared(const char* name, const char* description, Json input) {
  engine::ToolDecl tool;
  tool.name = name;
  tool.description = description;
  tool.input = std::move(input);
  tool.output = nullptr;  // content blocks, no structure
  tool.core = true;
  tool.per_rank = false;
  tool.needs_profile = false;
  tool.checks_itself = true;
  tool.pure = false;
  return tool;
}

}  // namespace

std::vector<engine::ToolDecl> FixtureTools::tools() const {
  std::vector<engine::ToolDecl> tools;
  for (const PlainTool& one : plain_tools()) tools.push_back(declared(one.name, one.description, one.input));
  for (const AskingTool& one : asking_tools()) {
    tools.push_back(declared(one.name, one.description, object_schema(one.arguments)));
  }
  return tools;
}

Result<ToolResult> FixtureTools::call(const std::string& tool, const Json& arguments, CallHost& host) {
  for (const AskingTool& one : asking_tools()) {
    if (tool == one.name) return one.call(arguments, host.client());
  }
  if (tool == "test_simple_text") return said("This is a simple text response for testing.");
  if (tool == "test_image_content") return made_of(Json::array({picture_block()}));
  if (tool == "test_audio_content") return made_of(Json::array({sound_block()}));
  if (tool == "test_embedded_resource") {
    return made_of(Json::array(
        {resource_block("test://embedded-resource", "text/plain", "This is an embedded resource content.")}));
  }
  if (tool == "test_multiple_content_types") return mixed_content();
  if (tool == "test_tool_with_logging" || tool == "test_logging_tool") return with_logging(host);
  if (tool == "test_tool_with_progress") return with_progress(host);
  if (tool == "test_reconnection") return across_reconnection(host);
  if (tool == "test_x_mcp_header") return said("The region is " + arguments.value("region", "not given") + ".");
  if (tool == "json_schema_2020_12_tool") return said("The arguments: " + dump_json(arguments));
  if (tool == "test_trigger_tool_change") {
    changes_->tell({mcp::Change::Kind::tools, ""});
    return said("Told of a change of the tools.");
  }
  if (tool == "test_trigger_prompt_change") {
    changes_->tell({mcp::Change::Kind::prompts, ""});
    return said("Told of a change of the prompts.");
  }
  if (tool == "test_trigger_resource_change") {
    changes_->tell({mcp::Change::Kind::resource, kWatchedResource});
    return said("Told of a change of the watched resource.");
  }
  if (tool == "test_wait_for_cancel") return wait_for_cancel(host);
  if (tool == "test_cancelled_calls") return said(std::to_string(cancelled_));
  return Error{ErrorKind::bad_data, "fixture.fails", "This tool intentionally returns an error for testing", "", ""};
}

Result<ToolResult> FixtureTools::wait_for_cancel(CallHost& host) {
  host.progress().set(1, 2, "waiting");
  while (wait(host, kBetweenProgress)) continue;
  ++cancelled_;
  return cancelled();
}

}  // namespace stepwise::conformance
