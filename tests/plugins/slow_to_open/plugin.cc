// Its open waits until whoever writes into the pipe that STEPWISE_TEST_PIPE names has closed it.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "stepwise/registration.hpp"

namespace {

using stepwise::sdk::as_sw_str;

int32_t wait_for_pipe(const sw_host*, void**) {
  const char* const name = std::getenv("STEPWISE_TEST_PIPE");
  const int pipe = name == nullptr ? -1 : ::open(name, O_RDONLY | O_CLOEXEC);
  if (pipe < 0) return SW_FAILED;
  char byte;
  while (::read(pipe, &byte, 1) > 0) {
  }
  ::close(pipe);
  return SW_OK;
}

int32_t open_slowly(void*, const sw_host* host, sw_str) { return host->emit(host->ctx, as_sw_str(R"({"n": 1})")); }

constexpr sw_tool kTools[] = {{sizeof(sw_tool), 0, as_sw_str("open_slowly"), open_slowly}};

constexpr sw_plugin with_open() {
  sw_plugin plugin = stepwise::sdk::plugin("slow_to_open", "0.1.0", "Apache-2.0", STEPWISE_BINARY_ID, kTools);
  plugin.open = wait_for_pipe;
  return plugin;
}
constexpr sw_plugin kPlugin = with_open();

}  // namespace

extern "C" SW_EXPORT const sw_plugin* sw_entry(uint16_t, uint16_t) { return &kPlugin; }
