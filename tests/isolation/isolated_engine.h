// An engine whose plugins run in workers, or in process: the same tools either way.
#pragma once

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/clock.h"
#include "core/engine/engine.h"
#include "sandbox/worker_runner.h"

namespace stepwise::testing {

/// A folder that is removed with it.
struct ScratchDir {
  std::filesystem::path path;

  ScratchDir() {
    std::string name = (std::filesystem::temp_directory_path() / "stepwise-isolation-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~ScratchDir() {
    std::error_code ec;
    std::filesystem::remove_all(path, ec);
  }
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
};

inline const char* hostile_plugins() { return STEPWISE_TEST_PLUGINS; }
inline const char* own_plugins() { return STEPWISE_OWN_PLUGINS; }
inline const char* worker_program() { return STEPWISE_WORKER; }

enum class Where : uint8_t { in_process, in_worker };

inline std::unique_ptr<engine::Engine> start_engine(Where where, const char* plugins,
                                                    const std::filesystem::path& cache_root,
                                                    const Clock& clock = Clock::steady()) {
  engine::EngineOptions options;
  options.plugin_dirs = {plugins};
  options.cache_root = cache_root;
  options.call_slots = 1;                         // a call that does not give its slot back stops all others
  options.running_after = std::chrono::hours(1);  // a busy machine may take longer than users wait
  if (where == Where::in_worker) {
    options.isolated_runner = std::make_shared<sandbox::WorkerRunner>(worker_program(), clock);
  }
  return engine::Engine::start(std::move(options)).value();
}

inline engine::Answer call(engine::Engine& engine, const std::string& tool, Json arguments = Json::object()) {
  engine::Request request;
  request.tool = tool;
  request.arguments = std::move(arguments);
  request.answer_running = false;
  return call_and_wait(engine, std::move(request));
}

}  // namespace stepwise::testing
