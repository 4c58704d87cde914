// The state that a tool hands a modern client together with its questions, protected: a client can neither change it,
// nor use it for another request, nor long after. The key is made anew in each process, so that a state does not
// outlive the server.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace stepwise::mcp {

class RequestStates {
 public:
  using Clock = std::function<std::chrono::milliseconds()>;  // since any fixed instant

  RequestStates();
  explicit RequestStates(Clock clock);

  /// `request`: the text that the state belongs to (method, name and arguments).
  std::string seal(std::string_view state, std::string_view request) const;
  /// Errors: usage `state.invalid`, `state.expired`.
  Result<std::string> open(std::string_view sealed, std::string_view request) const;

 private:
  using Mac = std::array<uint8_t, 32>;
  Mac mac(std::string_view expires, std::string_view state, std::string_view request) const;

  Clock clock_;
  std::array<uint8_t, 32> key_;
};

}  // namespace stepwise::mcp
