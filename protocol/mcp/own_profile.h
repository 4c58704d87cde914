// Resources of a profile, profile://{id}/...: what tools answer, as something to read. They work for the ids that
// open_profile gives, so that nothing is opened by being read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/registry.h"
#include "protocol/mcp/catalog.h"
#include "protocol/mcp/own_address.h"

namespace stepwise::mcp {

std::vector<ResourceTemplate> profile_templates();

/// Errors: not_found `resource.unknown`. What the answer shows to be none of the profile's (a table, an operator) is
/// the same error once the tool has answered.
CatalogAnswer<std::vector<ResourceContents>> read_profile(const std::string& uri, const Address& address,
                                                          const engine::Registry& registry);

/// As open_profile makes them: p and eight hex digits.
bool is_profile_id(std::string_view text);

/// Analyses that answer about a profile without more to go by than the profile, and do nothing but answer.
std::vector<std::string> analyses_to_read(const engine::Registry& registry);

/// Of all tables that there can be.
std::vector<std::string> table_names();

/// `what` is a sentence; `nearest` are whole addresses, or none. Shows the beginning of either where they are long.
Error unknown_resource(const std::string& uri, const std::string& what, std::vector<std::string> nearest);

/// As SQL writes a text.
std::string sql_text(const std::string& text);

}  // namespace stepwise::mcp
