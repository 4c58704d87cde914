// The host's side of one call in a worker: asks for it, answers the worker's questions until it is done, and watches
// the cancel flag meanwhile. Runs on the call's own thread; no thread of its own.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/engine/plugin_call.h"
#include "sandbox/worker_pool.h"

namespace stepwise::sandbox {

class ServedCall {
 public:
  ServedCall(Worker& worker, const engine::PluginInfo& plugin, engine::CallHost& host)
      : worker_(worker), plugin_(plugin), host_(host), call_(host) {}

  /// Errors: what the tool fails with; cancelled; plugin `plugin.worker` (the worker died, or broke the protocol), and
  /// those of loading a plugin.
  Result<Json> run(const std::string& tool, const Json& arguments);
  /// The worker ended its call in order and says that it can take another.
  bool worker_is_fit() const { return worker_is_fit_; }
  /// It did not, and not because its plugin cannot be loaded.
  bool worker_died() const { return worker_died_; }

 private:
  Result<void> load();
  Result<int32_t> serve();
  Result<void> answer(const Message& message);
  Result<void> answer_table(uint32_t rank, std::string_view name);

  Result<Message> next();
  Result<void> send(const Message& message, int descriptor = -1);
  bool is_overdue();  // cancelled, told so, and given its time
  Error died();
  Error broke_protocol(const std::string& how);

  Worker& worker_;
  const engine::PluginInfo& plugin_;
  engine::CallHost& host_;
  engine::PluginCall call_;
  std::optional<std::chrono::steady_clock::time_point> cancel_seen_;
  bool cancel_told_ = false;
  bool worker_is_fit_ = false, worker_died_ = false;
};

}  // namespace stepwise::sandbox
