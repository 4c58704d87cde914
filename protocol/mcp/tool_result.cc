#include "protocol/mcp/tool_result.h"

#include <string>
#include <utility>

#include "core/base/text.h"

namespace stepwise::mcp {
namespace {

constexpr size_t kWhereColumns = 300;

Json text_content(std::string text) {
  Json content = Json::array();
  content.push_back({{"type", "text"}, {"text", std::move(text)}});
  return content;
}

}  // namespace

Json tool_result(engine::Answer answer) {
  if (answer.error) return tool_error(*answer.error);
  if (!answer.content.is_null()) return {{"content", std::move(answer.content)}};
  return {{"content", text_content(std::move(answer.text))}, {"structuredContent", std::move(answer.structured)}};
}

Json tool_error(const Error& given) {
  Error error = given;
  error.where = shorten(error.where, kWhereColumns);  // it may be what the client wrote
  return {{"content", text_content(error.code + ": " + to_text(error))}, {"isError", true}};
}

}  // namespace stepwise::mcp
