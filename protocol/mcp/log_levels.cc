#include "protocol/mcp/log_levels.h"

#include <algorithm>
#include <array>

namespace stepwise::mcp {
namespace {

constexpr std::array<const char*, 8> kNames = {"debug", "info",     "notice", "warning",
                                               "error", "critical", "alert",  "emergency"};

}  // namespace

std::optional<engine::LogLevel> log_level(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<engine::LogLevel>(found - kNames.begin());
}

const char* to_string(engine::LogLevel level) { return kNames[static_cast<size_t>(level)]; }

}  // namespace stepwise::mcp
