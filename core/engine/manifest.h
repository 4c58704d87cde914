// plugin.json: what a plugin is and which tools it has, read without running its code.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

/// Errors: plugin `plugin.manifest`, where = file and JSON pointer.
Result<std::shared_ptr<const PluginInfo>> read_manifest(const std::filesystem::path& manifest, bool is_own);

/// Every <dir>/<name>/plugin.json, and <dir>/plugin.json, in order of path. A manifest that cannot be used is left out
/// and told in `refused`. What lies in `own_dir` ships with the program.
std::vector<std::shared_ptr<const PluginInfo>> find_plugins(const std::vector<std::filesystem::path>& dirs,
                                                            const std::filesystem::path& own_dir,
                                                            std::vector<Error>& refused);

/// A tool declaration from its JSON, completed with what the host adds to every tool (profile, rank, limit, cursor).
/// Also for the engine's own tools. Errors: plugin `plugin.manifest`.
Result<ToolDecl> tool_from_json(const Json& tool, const std::string& plugin);

}  // namespace stepwise::engine
