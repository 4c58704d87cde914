// In the worker: a plugin's call, with an sw_host whose every function asks the host by message.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <thread>

#include "core/engine/plugin_library.h"
#include "core/store/segment.h"
#include "sandbox/host_link.h"

namespace stepwise::sandbox {

/// The segments that the host has passed, by the host's numbers. [main]
class ReceivedSegments {
 public:
  void forget() { segments_.clear(); }
  /// Reads a TABLE_AT answer and finds the table in its segment, which is mapped and verified here.
  /// Errors: those of opening a segment; bug `plugin.worker`.
  Result<const sw_table*> table(Message& answer, std::string_view name);
  /// False: one could not be mapped. The host does not send it again, so this worker must not go on.
  bool is_complete() const { return is_complete_; }

 private:
  bool is_complete_ = true;
  std::map<uint32_t, std::shared_ptr<const store::Segment>> segments_;
};

/// Runs a CALL and tells the host DONE. [main]
void run_task(const Message& task, engine::PluginLibrary& library, ReceivedSegments& segments, HostLink& link);

}  // namespace stepwise::sandbox
