// The revisions of MCP that are spoken here, and the two eras they fall into: in the legacy one a handshake settles
// version and capabilities for the connection, in the modern one each request carries both.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace stepwise::mcp {

inline constexpr std::string_view kModernRevision = "2026-07-28";
/// Newest first.
inline constexpr std::array<std::string_view, 4> kLegacyRevisions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                                     "2024-11-05"};

bool is_legacy_revision(std::string_view version);
/// Of the modern era or later than it: revisions are dates.
bool is_modern_or_later(std::string_view version);

}  // namespace stepwise::mcp
