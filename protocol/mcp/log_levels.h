// The names of log levels, as the protocol has them from syslog.
#pragma once

#include <optional>
#include <string_view>

#include "core/engine/client.h"

namespace stepwise::mcp {

std::optional<engine::LogLevel> log_level(std::string_view name);
const char* to_string(engine::LogLevel level);

}  // namespace stepwise::mcp
