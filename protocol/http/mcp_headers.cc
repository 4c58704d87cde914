#include "protocol/http/mcp_headers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/text.h"
#include "protocol/mcp/base64.h"
#include "protocol/mcp/modern.h"

namespace stepwise::http {
namespace {

using jsonrpc::ErrorObject;

constexpr size_t kValueColumns = 60;  // of a header's value, as the error shows it

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

ErrorObject mismatch(const std::string& header, const std::string& why) {
  return {mcp::modern::kHeaderMismatch, "Header mismatch: " + header + " " + why + ".", {{"header", header}}};
}

std::optional<ErrorObject> differs(const HttpRequest& http, const std::string& header, const std::string& expected) {
  const std::string* raw = http.header(to_lower(header));
  if (raw == nullptr) return mismatch(header, "is missing");
  const auto value = header_value(*raw);
  if (!value) return mismatch(header, "is no valid base64");
  if (*value == expected) return std::nullopt;
  return mismatch(header, "says " + shorten(*value, kValueColumns) + ", the body " + shorten(expected, kValueColumns));
}

/// The parameter that names what the method works on; "": none.
std::string name_key(std::string_view method) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kKeys = {
      {{"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}}};
  for (const auto& [name, key] : kKeys) {
    if (name == method) return key;
  }
  return "";
}

/// A number is compared as one ("5" and "5.0" agree), a text byte by byte.
bool agree(const Json& value, const std::string& header) {
  if (value.is_string()) return value.get<std::string>() == header;
  if (value.is_boolean()) return header == (value.get<bool>() ? "true" : "false");
  const auto parsed = parse_json(header);
  return value.is_number() && parsed.ok() && parsed.value().is_number() && parsed.value() == value;
}

/// Properties of a tool's arguments that its schema puts into headers.
std::optional<ErrorObject> differing_parameter(const HttpRequest& http, const Json& arguments, const Json& schema) {
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [name, property] : properties.items()) {
    const Json suffix = property.is_object() ? property.value("x-mcp-header", Json()) : Json();
    if (!suffix.is_string()) continue;
    const std::string header = "Mcp-Param-" + suffix.get<std::string>();
    const std::string* raw = http.header(to_lower(header));
    const auto value = arguments.find(name);
    if (value == arguments.end() || value->is_null()) {
      if (raw != nullptr) return mismatch(header, "is there, its argument is not");
      continue;
    }
    if (raw == nullptr) return mismatch(header, "is missing");
    const auto decoded = header_value(*raw);
    if (!decoded) return mismatch(header, "is no valid base64");
    if (!agree(*value, *decoded)) return mismatch(header, "differs from the argument " + shorten(name, kValueColumns));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> header_value(std::string_view raw) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  const std::string_view value = trimmed(raw);
  const bool is_wrapped = value.size() >= kBegin.size() + kEnd.size() && value.substr(0, kBegin.size()) == kBegin &&
                          value.substr(value.size() - kEnd.size()) == kEnd;
  if (!is_wrapped) return std::string(value);
  return mcp::from_base64(value.substr(kBegin.size(), value.size() - kBegin.size() - kEnd.size()));
}

std::optional<ErrorObject> header_mismatch(const HttpRequest& http, const jsonrpc::Request& request,
                                           const engine::Registry& registry) {
  const Json& params = request.params;
  const Json version = params["_meta"].value(mcp::modern::meta_key("protocolVersion"), Json());
  if (version.is_string()) {
    if (auto bad = differs(http, "MCP-Protocol-Version", version.get<std::string>())) return bad;
  }
  if (auto bad = differs(http, "Mcp-Method", request.method)) return bad;
  const std::string key = name_key(request.method);
  const Json name = key.empty() ? Json() : params.value(key, Json());
  if (!name.is_string()) return std::nullopt;  // a parameter that is missing is an error of its own
  if (auto bad = differs(http, "Mcp-Name", name.get<std::string>())) return bad;
  if (request.method != "tools/call") return std::nullopt;
  const engine::RegisteredTool* tool = registry.find(name.get<std::string>());
  const Json arguments = params.value("arguments", Json());
  if (tool == nullptr) return std::nullopt;
  return differing_parameter(http, arguments.is_object() ? arguments : Json::object(), tool->decl.input);
}

bool accepts(const HttpRequest& http, std::string_view type) {
  const std::string* header = http.header("accept");
  if (header == nullptr) return true;
  const std::string_view kind = type.substr(0, type.find('/'));
  for (std::string_view rest = *header; !rest.empty();) {
    const std::string_view one = trimmed(rest.substr(0, std::min(rest.find(','), rest.find(';'))));
    const std::string range = to_lower(std::string(one));
    if (range == "*/*" || range == type || range == std::string(kind) + "/*") return true;
    const size_t comma = rest.find(',');
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return false;
}

}  // namespace stepwise::http
