// The methods behind which stand catalogs: resources, prompts, completion (catalog.h).
#pragma once

#include <optional>
#include <string>

#include "protocol/mcp/methods.h"

namespace stepwise::mcp {

Step list_resources(const Server& server, const Json& params, const engine::ClientInput& client);
Step list_templates(const Server& server, const Json& params, const engine::ClientInput& client);
Step read_resource(const Server& server, const Json& params, const engine::ClientInput& client);
Step list_prompts(const Server& server, const Json& params, const engine::ClientInput& client);
Step get_prompt(const Server& server, const Json& params, const engine::ClientInput& client);
Step complete(const Server& server, const Json& params, const engine::ClientInput& client);

/// Every list is one page, so no cursor was ever given out; an empty one asks for the first page.
std::optional<jsonrpc::ErrorObject> bad_cursor(const Json& params);

/// Is it an address by which something can be read here? Whether a profile of that name is open does not matter.
bool can_subscribe(const Server& server, const std::string& uri);

/// The error of resources/read for an address that names nothing; its code is that of the modern era.
bool is_unknown_resource(const jsonrpc::ErrorObject& error);

}  // namespace stepwise::mcp
