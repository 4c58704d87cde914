// The server's own catalog. Resources: the skills, what metrics, formats, tools and parameters are, and what profiles
// hold. Prompts: the usual workflows. Completion of both.
#pragma once

#include <filesystem>
#include <memory>

#include "core/engine/engine.h"
#include "protocol/mcp/catalog.h"

namespace stepwise::mcp {

struct OwnCatalogOptions {
  std::filesystem::path skills_dir;  // holds NAME/SKILL.md and metrics.json
  std::filesystem::path docs_dir;    // holds metrics.md
  const engine::Engine& engine;      // outlives the catalog; asked only which tools and which knowledge it has
};

/// Reads the files once. What is not there is not offered: a program without its folders still serves its tools.
std::shared_ptr<const Catalog> own_catalog(const OwnCatalogOptions& options);

}  // namespace stepwise::mcp
