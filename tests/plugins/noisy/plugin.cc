// Prints wherever it can: while it is loaded, and in its calls.
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "stepwise/registration.hpp"

namespace {

using stepwise::sdk::as_sw_str;

void print(const char* when) {
  std::printf("noisy: printf %s\n", when);
  std::fflush(stdout);
  std::cout << "noisy: cout " << when << std::endl;
  (void)!::write(STDOUT_FILENO, "noisy: write\n", 13);
}

const struct AtLoad {
  AtLoad() { print("while it is loaded"); }
} at_load;

int32_t print_text(void*, const sw_host* host, sw_str) {
  print("in a call");
  return host->emit(host->ctx, as_sw_str(R"({"n": 1})"));
}

}  // namespace

STEPWISE_PLUGIN("noisy", "0.1.0", "Apache-2.0", sw_tool{sizeof(sw_tool), 0, as_sw_str("print_text"), print_text});
