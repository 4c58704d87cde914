// Workers at rest, by plugin, and what became of those before them. A worker is one plugin's for its whole life.
//
// A plugin whose workers die again and again is not started again at once: from the third death in a row on, its calls
// are refused for a while, which doubles with each. [any thread]
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/engine/provider.h"
#include "core/store/segment.h"
#include "sandbox/channel.h"
#include "sandbox/worker_process.h"

namespace stepwise::sandbox {

struct Worker {
  Worker(std::unique_ptr<WorkerProcess> process_of, store::Descriptor socket);

  std::unique_ptr<WorkerProcess> process;
  Channel channel;
  bool is_loaded = false;  // it has answered LOAD
  // What it has mapped, by number. Weak: the worker's keeping must not be the host's.
  std::vector<std::weak_ptr<const store::Segment>> segments{};
};

class WorkerPool {
 public:
  WorkerPool(std::filesystem::path program, const Clock& clock) : program_(std::move(program)), clock_(clock) {}
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// One at rest, or a new one. Errors: plugin `plugin.worker` (it cannot be started), busy `plugin.backoff`.
  Result<std::unique_ptr<Worker>> take(const engine::PluginInfo& plugin);
  /// After a call that ended in order.
  void give_back(const engine::PluginInfo& plugin, std::unique_ptr<Worker> worker);
  /// After a call in which the worker died or had to be killed.
  void count_death(const engine::PluginInfo& plugin);

 private:
  struct Entry {
    std::vector<std::unique_ptr<Worker>> idle;
    int deaths_in_a_row = 0;
    Clock::TimePoint not_before{};
  };
  const std::filesystem::path program_;
  const Clock& clock_;
  std::mutex mutex_;                      // never held while a process starts or ends
  std::map<std::string, Entry> plugins_;  // by path of the library
};

}  // namespace stepwise::sandbox
