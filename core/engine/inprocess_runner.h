// Runs plugins in the host's own process: first-party ones, and those that the operator trusts.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/engine/plugin_library.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

class InProcessRunner : public PluginRunner {
 public:
  Result<Json> run(const PluginInfo& plugin, const std::string& tool, const Json& arguments, CallHost& host) override;

 private:
  struct Slot {
    std::mutex mutex;  // held while the plugin is opened, which may take as long as the plugin likes
    std::shared_ptr<PluginLibrary> library;
  };
  Result<std::shared_ptr<PluginLibrary>> library(const PluginInfo& plugin);
  std::mutex mutex_;                   // of the map alone
  std::map<std::string, Slot> slots_;  // by path; a slot stays where it is
};

}  // namespace stepwise::engine
