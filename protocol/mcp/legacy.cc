#include "protocol/mcp/legacy.h"

#include <algorithm>
#include <array>

#include "protocol/mcp/identity.h"

namespace stepwise::mcp::legacy {
namespace {

constexpr std::array<std::string_view, 4> kVersions = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

}  // namespace

std::string_view negotiate(std::string_view asked_version) {
  const auto known = std::find(kVersions.begin(), kVersions.end(), asked_version);
  return known != kVersions.end() ? *known : kVersions.front();
}

Json initialize_result(std::string_view asked_version) {
  return {{"protocolVersion", negotiate(asked_version)},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", server_info()},
          {"instructions", instructions()}};
}

}  // namespace stepwise::mcp::legacy
