// The engine as the program runs it: which analyzers, which directories. [main]
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/arguments.h"
#include "clients/cli/terminal.h"
#include "core/engine/engine.h"
#include "protocol/mcp/catalog.h"

namespace stepwise::cli {

/// First-party analyzers beside the executable (build/plugins; installed: ../lib/stepwise/plugins), then those of
/// STEPWISE_PLUGIN_PATH, then those of --plugin-dir.
std::vector<std::filesystem::path> plugin_dirs(const std::filesystem::path& executable, const Environment& environment,
                                               const std::vector<std::string>& given);

/// The program's own knowledge (build/skills/knowledge; installed: ../share/stepwise/skills/knowledge), then the
/// directories of STEPWISE_KNOWLEDGE_PATH, which add to it.
std::vector<std::filesystem::path> knowledge_dirs(const std::filesystem::path& executable,
                                                  const Environment& environment);

/// The same for rules and measures: the program's own skills, then what STEPWISE_KNOWLEDGE_PATH adds.
/// Appends the directory unless it is there already, under whatever path: what is read twice would override itself.
void add_directory(std::vector<std::filesystem::path>& dirs, const std::filesystem::path& one);

std::vector<std::filesystem::path> rule_dirs(const std::filesystem::path& executable, const Environment& environment);

/// Of the plugins that ship with the program; empty: there is none.
std::filesystem::path own_plugin_dir(const std::filesystem::path& executable);

std::filesystem::path executable_path();

/// Where a command may read and write.
struct Places {
  std::vector<std::filesystem::path> roots;    // of profiles; empty: anywhere (what one-shot commands do)
  std::filesystem::path out_dir = "./report";  // of exports
};
Result<std::unique_ptr<engine::Engine>> start_engine(const Globals& globals, Places places = {},
                                                     std::vector<std::shared_ptr<engine::ToolProvider>> providers = {});

/// What MCP servers offer beside that engine's tools, from the skills and pages that ship with the program. The engine
/// outlives it.
std::shared_ptr<const mcp::Catalog> shipped_catalog(const engine::Engine& engine);

}  // namespace stepwise::cli
