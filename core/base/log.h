// The program's log: stderr only, never stdout (stdout belongs to the protocol or to the result).
#pragma once

#include <cstdint>
#include <string_view>

namespace stepwise::log {

enum class Level : uint8_t { debug, info, warn, error, off };

/// Call once, before threads start. Default is warn.
void set_level(Level level);
void write(Level level, std::string_view text);
inline void debug(std::string_view text) { write(Level::debug, text); }
inline void info(std::string_view text) { write(Level::info, text); }
inline void warn(std::string_view text) { write(Level::warn, text); }
inline void error(std::string_view text) { write(Level::error, text); }
void flush();

}  // namespace stepwise::log
