#include "protocol/mcp/tool_result.h"

#include <string>
#include <utility>

namespace stepwise::mcp {
namespace {

Json text_content(std::string text) {
  Json content = Json::array();
  content.push_back({{"type", "text"}, {"text", std::move(text)}});
  return content;
}

}  // namespace

Json tool_result(engine::Answer answer) {
  if (answer.error) return tool_error(*answer.error);
  return {{"content", text_content(std::move(answer.text))}, {"structuredContent", std::move(answer.structured)}};
}

Json tool_error(const Error& error) {
  return {{"content", text_content(error.code + ": " + to_text(error))}, {"isError", true}};
}

}  // namespace stepwise::mcp
