// Says that its structure ends before `open`: what stands behind it is not the host's to read.
#include <cstddef>

#include "stepwise/registration.hpp"

namespace {

using stepwise::sdk::as_sw_str;

int32_t not_mine(const sw_host*, void**) { return SW_FAILED; }

int32_t be_short(void*, const sw_host* host, sw_str) { return host->emit(host->ctx, as_sw_str(R"({"n": 1})")); }

constexpr sw_tool kTools[] = {{sizeof(sw_tool), 0, as_sw_str("be_short"), be_short}};

constexpr sw_plugin cut_before_open() {
  sw_plugin plugin = stepwise::sdk::plugin("without_open", "0.1.0", "Apache-2.0", STEPWISE_BINARY_ID, kTools);
  plugin.size = offsetof(sw_plugin, open);
  plugin.open = not_mine;
  return plugin;
}
constexpr sw_plugin kPlugin = cut_before_open();

}  // namespace

extern "C" SW_EXPORT const sw_plugin* sw_entry(uint16_t, uint16_t) { return &kPlugin; }
