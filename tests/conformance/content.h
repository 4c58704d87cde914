// MCP content blocks, and results made of them alone.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/engine/result.h"

namespace stepwise::conformance {

/// PNG of one red pixel and WAV of two samples of silence, in base64: the smallest that are whole files.
inline constexpr const char* kPicture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
inline constexpr const char* kSound = "UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQQAAAAAAAAA";

Json text_block(const std::string& text);
Json picture_block();
Json sound_block();
Json resource_block(const std::string& uri, const std::string& mime_type, const std::string& text);

/// A result of these blocks, without the envelope that analyses have.
engine::ToolResult made_of(Json blocks);
engine::ToolResult said(const std::string& text);

}  // namespace stepwise::conformance
