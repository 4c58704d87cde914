#include "tests/conformance/content.h"

#include <utility>

namespace stepwise::conformance {

Json text_block(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

Json picture_block() { return {{"type", "image"}, {"data", kPicture}, {"mimeType", "image/png"}}; }

Json sound_block() { return {{"type", "audio"}, {"data", kSound}, {"mimeType", "audio/wav"}}; }

Json resource_block(const std::string& uri, const std::string& mime_type, const std::string& text) {
  return {{"type", "resource"}, {"resource", {{"uri", uri}, {"mimeType", mime_type}, {"text", text}}}};
}

engine::ToolResult made_of(Json blocks) {
  engine::ToolResult result;
  result.content = std::move(blocks);
  return result;
}

engine::ToolResult said(const std::string& text) { return made_of(Json::array({text_block(text)})); }

}  // namespace stepwise::conformance
