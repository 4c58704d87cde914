#include "protocol/mcp/modern.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "protocol/mcp/capabilities.h"
#include "protocol/mcp/identity.h"
#include "protocol/mcp/log_levels.h"
#include "protocol/mcp/revision.h"

namespace stepwise::mcp::modern {
namespace {

using jsonrpc::ErrorObject;

constexpr size_t kVersionColumns = 60;  // of an unknown version, as the error shows it
// Lists and documents change with the program alone, so a client may keep them for long; an hour leaves room for an
// update while it runs.
constexpr int64_t kKeepListsMs = 3'600'000;

bool is_cacheable(std::string_view method) {
  static const std::set<std::string_view> kCacheable = {
      "server/discover", "tools/list", "prompts/list", "resources/list", "resources/read", "resources/templates/list"};
  return kCacheable.count(method) != 0;
}

ErrorObject bad_meta(const std::string& path, const char* must_be) {
  return {jsonrpc::kInvalidParams, "Invalid parameters: " + path + " must be " + must_be + ".", {{"path", path}}};
}

}  // namespace

std::string meta_key(std::string_view name) { return "io.modelcontextprotocol/" + std::string(name); }

bool is_modern(const Json& params) {
  if (!params.is_object()) return false;
  const auto meta = params.find("_meta");
  return meta != params.end() && meta->is_object() && meta->contains(meta_key("protocolVersion"));
}

bool is_method_of_it(std::string_view method) {
  return method == "server/discover" || method == "subscriptions/listen";
}

std::variant<Meta, ErrorObject> read_meta(const Json& params) {
  const auto meta = params.is_object() ? params.find("_meta") : params.end();
  if (!params.is_object() || meta == params.end() || !meta->is_object()) {
    return bad_meta("/params/_meta", "an object with protocolVersion and clientCapabilities");
  }
  Meta out;
  const std::string at = "/params/_meta/io.modelcontextprotocol~1";  // as JSON pointers escape the slash
  const Json version = meta->value(meta_key("protocolVersion"), Json());
  if (!version.is_string()) return bad_meta(at + "protocolVersion", "a string");
  out.version = version.get<std::string>();
  if (out.version != kModernRevision) return unsupported_version(out.version);
  out.client_capabilities = meta->value(meta_key("clientCapabilities"), Json());
  if (!out.client_capabilities.is_object()) return bad_meta(at + "clientCapabilities", "an object");
  if (const auto level = meta->find(meta_key("logLevel")); level != meta->end()) {
    out.log_from = level->is_string() ? log_level(level->get<std::string>()) : std::nullopt;
    if (!out.log_from) return bad_meta(at + "logLevel", "a syslog level such as \"info\"");
  }
  return out;
}

Json discover_result(const Server& server) {
  return {{"supportedVersions", {kModernRevision}},
          {"capabilities", capabilities(server)},
          {"instructions", instructions()}};
}

namespace {

/// Skills, metrics, formats, tools and parameters are the same for everybody as long as the program runs; what is read
/// of a profile is its owner's, and may change with its files.
bool ships_with_program(const Json& read) {
  const auto contents = read.find("contents");
  return contents != read.end() && !contents->empty() &&
         std::all_of(contents->begin(), contents->end(), [](const Json& one) {
           const std::string uri = one.value("uri", "");
           return uri.starts_with("skill://") || uri.starts_with("stepwise://");
         });
}

}  // namespace

Json dressed(Json result, std::string_view method) {
  if (!result.contains("resultType")) result["resultType"] = "complete";
  result["_meta"][meta_key("serverInfo")] = server_info();
  if (is_cacheable(method)) {
    const bool is_fixed = method != "resources/read" || ships_with_program(result);
    result["ttlMs"] = is_fixed ? kKeepListsMs : 0;
    result["cacheScope"] = is_fixed ? "public" : "private";
  }
  return result;
}

Json input_required(const engine::ClientAsk& ask, const std::string& sealed_state) {
  Json result = {{"resultType", "input_required"}};
  if (!ask.requests.empty()) result["inputRequests"] = ask.requests;
  if (!sealed_state.empty()) result["requestState"] = sealed_state;
  return result;
}

ErrorObject missing_capability(const std::string& capability) {
  return {kMissingClientCapability,
          "The client has not declared the capability `" + capability + "`, which this request needs.",
          {{"requiredCapabilities", {{capability, Json::object()}}}}};
}

ErrorObject unsupported_version(const std::string& asked) {
  const std::string shown = shorten(asked, kVersionColumns);
  return {kUnsupportedVersion,
          "Unsupported protocol version: " + shown + ". Supported: " + std::string(kModernRevision) +
              ", and older ones by initialize.",
          {{"supported", {kModernRevision}}, {"requested", shown}}};
}

std::string request_text(std::string_view method, Json params) {
  for (const char* key : {"_meta", "inputResponses", "requestState"}) params.erase(key);
  return std::string(method) + " " + dump_json(params);
}

}  // namespace stepwise::mcp::modern
