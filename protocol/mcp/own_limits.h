// Limits of the server's own catalog.
#pragma once

#include <cstddef>

#include "core/base/limits.h"

namespace stepwise::mcp {

inline constexpr size_t kResourceTextChars = limits::kTextTokensDefault * limits::kCharsPerToken;
inline constexpr size_t kCatalogFileBytes = 1u << 20;  // of a skill, a page, a list of metrics: a larger one is none
inline constexpr size_t kTableRowsAsked = 50;          // of a table as a resource; fewer where they are long
inline constexpr size_t kAddressBytes = 2048;  // a longer address names nothing; a longer beginning completes to none
inline constexpr size_t kCompletedNameChars = 200;  // operators with longer names are not offered
inline constexpr size_t kShownChars = 200;          // of what was asked for, in an error
inline constexpr size_t kSkillNameChars = 64, kSkillDescriptionChars = 1024;  // of Agent Skills

}  // namespace stepwise::mcp
