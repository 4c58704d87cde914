// Runs plugins in worker processes: the same libraries, the same answers, but a plugin that crashes, hangs or prints
// takes only its worker with it.
//
// No restriction of what a worker may do is in force yet (SECURITY.md): it has the rights of the user.
// docs/contributing/worker.md tells how host and worker work together.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/clock.h"
#include "core/engine/provider.h"

namespace stepwise::sandbox {

class WorkerPool;

/// [any thread] Its end ends the workers at rest; a call that still runs keeps its own until it returns.
class WorkerRunner : public engine::PluginRunner {
 public:
  /// `program`: the path of stepwise-worker. The clock is for the back-off.
  explicit WorkerRunner(std::filesystem::path program, const Clock& clock = Clock::steady());

  /// Errors: those of the plugin's call; plugin `plugin.worker`; busy `plugin.backoff`.
  Result<Json> run(const engine::PluginInfo& plugin, const std::string& tool, const Json& arguments,
                   engine::CallHost& host) override;

 private:
  const std::shared_ptr<WorkerPool> pool_;  // shared with running calls
};

}  // namespace stepwise::sandbox
