// What a plugin exports. Once in each plugin, at namespace scope:
//
//   STEPWISE_PLUGIN("my_plugin", "0.1.0", "Apache-2.0",
//                   stepwise::sdk::tool<count_kernels>("count_kernels"))
//
// It writes sw_entry. Exceptions that a tool lets out become a failure of that call; none crosses the border.
// STEPWISE_BINARY_ID comes from the build, which writes the same text into plugin.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stepwise/call.hpp"
#include "stepwise/plugin.h"

namespace stepwise::sdk {

using ToolFunction = int32_t (*)(Call&);

/// Parses the arguments, runs the tool, turns exceptions into failures.
int32_t run_tool(const sw_host* host, sw_str args_json, ToolFunction function) noexcept;

constexpr sw_str as_sw_str(std::string_view text) { return {text.data(), text.size()}; }

namespace detail {
template <ToolFunction Function>
int32_t enter(void* /*self*/, const sw_host* host, sw_str args_json) {
  return run_tool(host, args_json, Function);
}
}  // namespace detail

template <ToolFunction Function>
constexpr sw_tool tool(std::string_view name) {
  return {sizeof(sw_tool), 0, as_sw_str(name), detail::enter<Function>};
}

template <size_t N>
constexpr sw_plugin plugin(std::string_view id, std::string_view version, std::string_view licence,
                           std::string_view binary_id, const sw_tool (&tools)[N]) {
  return {sizeof(sw_plugin),
          SW_ABI_MAJOR,
          SW_ABI_MINOR,
          as_sw_str(id),
          as_sw_str(version),
          as_sw_str(licence),
          as_sw_str(binary_id),
          static_cast<uint32_t>(N),
          sizeof(sw_tool),
          tools,
          nullptr,
          nullptr};
}

/// A host of another major, or one older than what this was built for, is refused.
constexpr bool accepts_host(uint16_t major, uint16_t minor) { return major == SW_ABI_MAJOR && minor >= SW_ABI_MINOR; }

}  // namespace stepwise::sdk

#define STEPWISE_PLUGIN(id, version, licence, ...)                                                                  \
  extern "C" SW_EXPORT const sw_plugin* sw_entry(uint16_t host_major, uint16_t host_minor) {                        \
    static constexpr sw_tool kTools[] = {__VA_ARGS__};                                                              \
    static constexpr sw_plugin kPlugin = ::stepwise::sdk::plugin(id, version, licence, STEPWISE_BINARY_ID, kTools); \
    return ::stepwise::sdk::accepts_host(host_major, host_minor) ? &kPlugin : nullptr;                              \
  }                                                                                                                 \
  static_assert(true, "a semicolon may follow")
