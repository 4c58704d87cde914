#include "sandbox/worker_runner.h"

#include <utility>

#include "sandbox/served_call.h"
#include "sandbox/worker_pool.h"

namespace stepwise::sandbox {

WorkerRunner::WorkerRunner(std::filesystem::path program, const Clock& clock)
    : pool_(std::make_shared<WorkerPool>(std::move(program), clock)) {}

Result<Json> WorkerRunner::run(const engine::PluginInfo& plugin, const std::string& tool, const Json& arguments,
                               engine::CallHost& host) {
  const std::shared_ptr<WorkerPool> pool = pool_;
  SW_ASSIGN_OR_RETURN(std::unique_ptr<Worker> worker, pool->take(plugin));
  ServedCall call(*worker, plugin, host);
  Result<Json> result = call.run(tool, arguments);
  if (call.worker_died()) pool->count_death(plugin);
  if (call.worker_is_fit()) pool->give_back(plugin, std::move(worker));
  return result;
}

}  // namespace stepwise::sandbox
