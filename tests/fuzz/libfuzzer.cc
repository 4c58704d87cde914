// stepwise_fuzz --target=NAME [libFuzzer's own arguments]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/target.h"

namespace {
const stepwise::fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=";  // libFuzzer leaves options with two dashes alone
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument.starts_with(kOption)) chosen = stepwise::fuzz::find_target(argument.substr(kOption.size()));
  }
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "--target= one of:");
  for (const auto& one : stepwise::fuzz::targets()) {
    std::fprintf(stderr, " %.*s", static_cast<int>(one.name.size()), one.name.data());
  }
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  chosen->run(chosen->name, {reinterpret_cast<const char*>(data), size});
  return 0;
}
