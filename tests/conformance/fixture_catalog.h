// The resources and prompts that the conformance suite reads by address and name.
#pragma once

#include "protocol/mcp/catalog.h"

namespace stepwise::conformance {

/// The resource whose changes test_trigger_resource_change tells of.
inline constexpr const char* kWatchedResource = "test://watched-resource";

class FixtureCatalog final : public mcp::Catalog {
 public:
  std::vector<mcp::Resource> resources() const override;
  std::vector<mcp::ResourceTemplate> templates() const override;
  std::optional<mcp::CatalogAnswer<std::vector<mcp::ResourceContents>>> read(
      const std::string& uri, const engine::ClientInput& client) const override;
  std::vector<mcp::Prompt> prompts() const override;
  std::optional<mcp::CatalogAnswer<mcp::PromptMessages>> prompt(const std::string& name,
                                                                const std::map<std::string, std::string>& arguments,
                                                                const engine::ClientInput& client) const override;
  std::optional<mcp::CatalogAnswer<mcp::Completion>> complete(const mcp::CompletionAsk& ask) const override;
};

}  // namespace stepwise::conformance
