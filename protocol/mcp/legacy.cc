#include "protocol/mcp/legacy.h"

#include "protocol/mcp/capabilities.h"
#include "protocol/mcp/identity.h"
#include "protocol/mcp/revision.h"

namespace stepwise::mcp::legacy {

std::string_view negotiate(std::string_view asked_version) {
  return is_legacy_revision(asked_version) ? asked_version : kLegacyRevisions.front();
}

Json initialize_result(const Server& server, std::string_view asked_version) {
  return {{"protocolVersion", negotiate(asked_version)},
          {"capabilities", capabilities(server)},
          {"serverInfo", server_info()},
          {"instructions", instructions()}};
}

}  // namespace stepwise::mcp::legacy
