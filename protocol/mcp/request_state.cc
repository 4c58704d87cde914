#include "protocol/mcp/request_state.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <cstdlib>
#include <utility>

#include "core/base/text.h"
#include "protocol/mcp/base64.h"

namespace stepwise::mcp {
namespace {

constexpr auto kValidFor = std::chrono::minutes(30);  // a person may have to be asked

Error invalid() {
  return {ErrorKind::usage, "state.invalid", "requestState is not one that this server gave for this request.",
          "Send the request again without requestState and inputResponses.", "/params/requestState"};
}

}  // namespace

RequestStates::RequestStates()
    : RequestStates([] {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now().time_since_epoch());
      }) {}

RequestStates::RequestStates(Clock clock) : clock_(std::move(clock)) {
  // Without randomness every state could be forged; there is nothing to fall back to.
  if (RAND_bytes(key_.data(), static_cast<int>(key_.size())) != 1) std::abort();
}

std::string RequestStates::seal(std::string_view state, std::string_view request) const {
  const std::string expires = std::to_string((clock_() + kValidFor).count());
  const Mac proof = mac(expires, state, request);
  return to_base64(std::string(proof.begin(), proof.end()) + expires + ":" + std::string(state));
}

Result<std::string> RequestStates::open(std::string_view sealed, std::string_view request) const {
  const auto bytes = from_base64(sealed);
  if (!bytes || bytes->size() < Mac{}.size()) return invalid();
  const std::string_view rest = std::string_view(*bytes).substr(Mac{}.size());
  const size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return invalid();
  const std::string_view expires = rest.substr(0, colon), state = rest.substr(colon + 1);
  const Mac proof = mac(expires, state, request);
  if (CRYPTO_memcmp(proof.data(), bytes->data(), proof.size()) != 0) return invalid();
  if (to_integer(expires).value_or(0) < clock_().count()) {
    return Error{ErrorKind::usage, "state.expired", "requestState is too old.",
                 "Send the request again without requestState and inputResponses.", "/params/requestState"};
  }
  return std::string(state);
}

RequestStates::Mac RequestStates::mac(std::string_view expires, std::string_view state,
                                      std::string_view request) const {
  std::string text;
  for (const std::string_view part : {expires, state, request}) {
    text += std::to_string(part.size()) + ":";  // so that no byte can move from one part into another
    text += part;
  }
  Mac out{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), out.data(), &size);
  return out;
}

}  // namespace stepwise::mcp
