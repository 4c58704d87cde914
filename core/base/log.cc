#include "core/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace stepwise::log {
namespace {

spdlog::logger& logger() {
  // Leaked on purpose: threads written off at stop may still log while statics are destroyed.
  static auto* instance = [] {
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    auto* made = new spdlog::logger("stepwise", sink);
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    made->set_level(spdlog::level::warn);
    made->flush_on(spdlog::level::info);
    return made;
  }();
  return *instance;
}

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warn:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::off:
      break;
  }
  return spdlog::level::off;
}

}  // namespace

void set_level(Level level) { logger().set_level(to_spdlog(level)); }
void write(Level level, std::string_view text) {
  logger().log(to_spdlog(level), spdlog::string_view_t(text.data(), text.size()));
}
void flush() { logger().flush(); }

}  // namespace stepwise::log
