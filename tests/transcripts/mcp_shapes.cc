#include "tests/transcripts/mcp_shapes.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace stepwise::transcripts {
namespace {

using Check = bool (Json::*)() const;

/// Reads one object and remembers the first thing that is wrong.
class Shape {
 public:
  Shape(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
    if (!object_.is_object()) error_ = place_ + " is no object";
  }

  Shape& must(const char* key, Check is, const char* type) {
    if (error_.empty() && !object_.contains(key)) error_ = place_ + "/" + key + " is missing";
    return may(key, is, type);
  }
  Shape& may(const char* key, Check is, const char* type) {
    if (!error_.empty() || !object_.contains(key)) return *this;
    if (!(object_.at(key).*is)()) error_ = place_ + "/" + key + " is not " + type;
    return *this;
  }
  Shape& nothing_but(std::initializer_list<std::string_view> keys) {
    if (!error_.empty()) return *this;
    for (const auto& [key, value] : object_.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        error_ = place_ + "/" + key + " is not of the protocol";
    }
    return *this;
  }
  Shape& no(bool bad, const char* what) {
    if (error_.empty() && bad) error_ = place_ + " " + what;
    return *this;
  }
  std::string error() const { return error_; }

 private:
  const Json& object_;
  std::string place_, error_;
};

bool is_id(const Json& value) { return value.is_string() || value.is_number_integer(); }

std::string initialize_result(const Json& result) {
  Shape shape(result, "/result");
  shape.must("protocolVersion", &Json::is_string, "a string")
      .must("capabilities", &Json::is_object, "an object")
      .must("serverInfo", &Json::is_object, "an object")
      .may("instructions", &Json::is_string, "a string");
  if (!shape.error().empty()) return shape.error();
  return Shape(result["serverInfo"], "/result/serverInfo")
      .must("name", &Json::is_string, "a string")
      .must("version", &Json::is_string, "a string")
      .may("title", &Json::is_string, "a string")
      .error();
}

std::string schema(const Json& tool, const char* key) {
  Shape shape(tool[key], std::string("tool ") + tool["name"].get<std::string>() + "/" + key);
  shape.must("type", &Json::is_string, "a string")
      .may("properties", &Json::is_object, "an object")
      .may("required", &Json::is_array, "an array");
  return shape.no(shape.error().empty() && tool[key]["type"] != "object", "has a root that is no object").error();
}

std::string tool(const Json& tool) {
  Shape shape(tool, "tool");
  shape.must("name", &Json::is_string, "a string")
      .must("description", &Json::is_string, "a string")
      .must("inputSchema", &Json::is_object, "an object")
      .must("outputSchema", &Json::is_object, "an object")
      .must("annotations", &Json::is_object, "an object")
      .may("title", &Json::is_string, "a string");
  if (!shape.error().empty()) return shape.error();
  for (const char* key : {"inputSchema", "outputSchema"}) {
    if (auto bad = schema(tool, key); !bad.empty()) return bad;
  }
  return Shape(tool["annotations"], "annotations")
      .must("readOnlyHint", &Json::is_boolean, "a boolean")
      .must("destructiveHint", &Json::is_boolean, "a boolean")
      .must("idempotentHint", &Json::is_boolean, "a boolean")
      .must("openWorldHint", &Json::is_boolean, "a boolean")
      .error();
}

std::string list_result(const Json& result) {
  Shape shape(result, "/result");
  shape.must("tools", &Json::is_array, "an array").may("nextCursor", &Json::is_string, "a string");
  if (!shape.error().empty()) return shape.error();
  for (const Json& one : result["tools"]) {
    if (auto bad = tool(one); !bad.empty()) return bad;
  }
  return "";
}

std::string call_result(const Json& result) {
  Shape shape(result, "/result");
  shape.must("content", &Json::is_array, "an array")
      .may("structuredContent", &Json::is_object, "an object")
      .may("isError", &Json::is_boolean, "a boolean");
  if (!shape.error().empty()) return shape.error();
  for (const Json& block : result["content"]) {
    Shape text(block, "/result/content");
    text.must("type", &Json::is_string, "a string").must("text", &Json::is_string, "a string");
    if (!text.error().empty()) return text.error();
    if (block["type"] != "text") return "a content block is not text";
  }
  const bool failed = result.value("isError", false);
  return shape.no(result["content"].empty(), "has no content")
      .no(!failed && !result.contains("structuredContent"), "succeeds without the structure that was promised")
      .no(failed && result.contains("structuredContent"), "fails with a structure that the schema does not describe")
      .error();
}

std::string progress(const Json& message) {
  if (message.value("method", "") != "notifications/progress") return "the server sends a notification it should not";
  if (!message.contains("params")) return "a notification without parameters";
  const Json& params = message["params"];
  Shape shape(params, "/params");
  shape.must("progressToken", &Json::is_primitive, "a string or an integer")
      .must("progress", &Json::is_number, "a number")
      .may("total", &Json::is_number, "a number")
      .may("message", &Json::is_string, "a string");
  return shape.no(shape.error().empty() && !is_id(params["progressToken"]), "has a bad token").error();
}

std::string error_response(const Json& message) {
  const Json& error = message["error"];
  return Shape(error, "/error")
      .nothing_but({"code", "message", "data"})
      .must("code", &Json::is_number_integer, "an integer")
      .must("message", &Json::is_string, "a string")
      .error();
}

std::string result_of(const Json& result, std::string_view method) {
  if (method == "initialize") return initialize_result(result);
  if (method == "tools/list") return list_result(result);
  if (method == "tools/call") return call_result(result);
  if (method == "ping") return result == Json::object() ? "" : "ping is answered with more than {}";
  return "a result for no request";
}

}  // namespace

std::string mcp_shape_error(const Json& message, std::string_view method) {
  if (!message.is_object() || message.value("jsonrpc", "") != "2.0") return "no JSON-RPC 2.0 message";
  if (message.contains("id") && !is_id(message["id"])) return "the id is neither string nor integer";
  Shape envelope(message, "message");
  if (message.contains("method")) {
    if (auto bad = envelope.nothing_but({"jsonrpc", "method", "params"}).error(); !bad.empty()) return bad;
    return progress(message);
  }
  if (message.contains("error")) {
    if (auto bad = envelope.nothing_but({"jsonrpc", "id", "error"}).error(); !bad.empty()) return bad;
    return error_response(message);
  }
  envelope.nothing_but({"jsonrpc", "id", "result"})
      .must("id", &Json::is_primitive, "an id")
      .must("result", &Json::is_object, "an object");
  return envelope.error().empty() ? result_of(message["result"], method) : envelope.error();
}

}  // namespace stepwise::transcripts
