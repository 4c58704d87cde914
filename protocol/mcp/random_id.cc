#include "protocol/mcp/random_id.h"

#include <openssl/rand.h>

#include <array>
#include <cstdint>
#include <cstdlib>

namespace stepwise::mcp {

std::string random_id() {
  std::array<uint8_t, 16> bytes{};
  // An id that can be guessed would hand one client's session to another; there is nothing to fall back to.
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) std::abort();
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out;
  for (const uint8_t byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace stepwise::mcp
