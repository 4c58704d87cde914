// The engine as the program runs it: which analyzers, which directories. [main]
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/arguments.h"
#include "clients/cli/terminal.h"
#include "core/engine/engine.h"

namespace stepwise::cli {

/// First-party analyzers beside the executable (build/plugins; installed: ../lib/stepwise/plugins), then those of
/// STEPWISE_PLUGIN_PATH, then those of --plugin-dir.
std::vector<std::filesystem::path> plugin_dirs(const std::filesystem::path& executable, const Environment& environment,
                                               const std::vector<std::string>& given);

std::filesystem::path executable_path();

/// `roots` empty: profiles may lie anywhere (what one-shot commands do).
Result<std::unique_ptr<engine::Engine>> start_engine(const Globals& globals,
                                                     std::vector<std::filesystem::path> roots = {});

}  // namespace stepwise::cli
