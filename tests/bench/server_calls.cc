#include "tests/bench/server_calls.h"

namespace stepwise::bench {
namespace {

constexpr const char* kRevision = "2026-07-28";

const char* path_of(Face face) { return face == Face::rpc ? "/rpc" : "/mcp"; }

std::string headers_of(Face face, const ToolCall& call) {
  if (face == Face::rpc) return "";
  return "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: " + std::string(kRevision) +
         "\r\nMcp-Method: tools/call\r\nMcp-Name: " + call.tool + "\r\n";
}

Json request_of(Face face, int64_t id, const ToolCall& call) {
  if (face == Face::rpc) return {{"jsonrpc", "2.0"}, {"id", id}, {"method", call.tool}, {"params", call.arguments}};
  const Json meta = {{"io.modelcontextprotocol/protocolVersion", kRevision},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", "tools/call"},
          {"params", {{"name", call.tool}, {"arguments", call.arguments}, {"_meta", meta}}}};
}

}  // namespace

Json ask(HttpClient& client, Face face, int64_t id, const ToolCall& call) {
  const auto got = client.post(path_of(face), headers_of(face, call), dump_json(request_of(face, id, call)));
  if (got.status != 200) return nullptr;
  // Of an event stream the answer is the last; what comes before it tells of progress.
  const std::string_view body(got.body);
  const size_t end = body.find_last_not_of('\n');
  const size_t begin = body.rfind('\n', end);
  auto answer = parse_json(body.substr(begin == std::string_view::npos ? 0 : begin + 1));
  if (!answer.ok() || answer.value().value("id", Json()) != id) return nullptr;
  Json result = answer.value().value("result", Json());
  if (!result.is_object() || result.value("isError", false)) return nullptr;
  return face == Face::rpc ? result : result.value("structuredContent", Json());
}

RepeatedCall::RepeatedCall(Face face, const ToolCall& call) : face_(face), headers_(headers_of(face, call)) {
  constexpr int64_t kMark = 1234567890;
  const std::string request = dump_json(request_of(face, kMark, call)), mark = std::to_string(kMark);
  const size_t at = request.find(mark);
  before_id_ = request.substr(0, at);
  after_id_ = request.substr(at + mark.size());
}

bool RepeatedCall::ask(HttpClient& client, int64_t id) const {
  const std::string number = std::to_string(id);
  const auto got = client.post(path_of(face_), headers_, before_id_ + number + after_id_);
  const auto says = [&](const std::string& what) { return got.body.find(what) != std::string::npos; };
  return got.status == 200 && says("\"id\":" + number + ",") && says("\"status\":\"ok\"");
}

}  // namespace stepwise::bench
